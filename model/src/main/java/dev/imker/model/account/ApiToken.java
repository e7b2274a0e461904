package dev.imker.model.account;

/**
 * A word that stands for an account, of which only the hash is kept.
 *
 * @param hash SHA-256 in hexadecimal
 * @param title what its owner calls it; unique among the tokens of an account
 * @param expiresMillis when it is over, or {@link #NEVER}
 */
public record ApiToken(
    String hash, String account, String title, long createdMillis, long expiresMillis) {
  public static final long NEVER = -1;

  public boolean isOver(long nowMillis) {
    return expiresMillis != NEVER && expiresMillis <= nowMillis;
  }
}
