package dev.imker.model.account;

/**
 * A secret that identifies an account; only its hash is stored.
 *
 * @param hash SHA-256 in hexadecimal
 * @param title its name; unique among the tokens of an account
 * @param expiresMillis when it expires, or {@link #NEVER}
 */
public record ApiToken(
    String hash, String account, String title, long createdMillis, long expiresMillis) {
  public static final long NEVER = -1;

  public boolean isOver(long nowMillis) {
    return expiresMillis != NEVER && expiresMillis <= nowMillis;
  }
}
