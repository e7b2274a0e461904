package dev.imker.model.account;

/**
 * Somebody who may use the pool.
 *
 * @param passwordHash with its method and salt; empty if the account has no password
 * @param stamp grows with every change that ends what was logged in before
 */
public record Account(
    String name,
    AccountRole role,
    String passwordHash,
    boolean disabled,
    long stamp,
    Quota quota,
    long createdMillis) {
  public static Account of(String name, AccountRole role, long createdMillis) {
    return new Account(name, role, "", false, 0, Quota.NONE, createdMillis);
  }

  public boolean hasPassword() {
    return !passwordHash.isEmpty();
  }

  /** With another password; whoever is logged in has to log in again. */
  public Account withPasswordHash(String value) {
    return new Account(name, role, value, disabled, stamp + 1, quota, createdMillis);
  }

  public Account withRole(AccountRole value) {
    return new Account(name, value, passwordHash, disabled, stamp, quota, createdMillis);
  }

  /** Disabled, or usable again; sessions from before do not come back. */
  public Account withDisabled(boolean value) {
    return new Account(name, role, passwordHash, value, stamp + 1, quota, createdMillis);
  }

  public Account withQuota(Quota value) {
    return new Account(name, role, passwordHash, disabled, stamp, value, createdMillis);
  }

  /** Without the hash, which belongs into no log. */
  @Override
  public String toString() {
    return name + " (" + role + (disabled ? ", disabled)" : ")");
  }
}
