package dev.imker.model.account;

/**
 * A user of the pool.
 *
 * @param passwordHash with its method and salt; empty if the account has no password
 * @param stamp grows with every change that invalidates existing sessions
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

  /** With another password; all sessions have to log in again. */
  public Account withPasswordHash(String value) {
    return new Account(name, role, value, disabled, stamp + 1, quota, createdMillis);
  }

  public Account withRole(AccountRole value) {
    return new Account(name, value, passwordHash, disabled, stamp, quota, createdMillis);
  }

  /** Disabled or enabled; earlier sessions stay invalid. */
  public Account withDisabled(boolean value) {
    return new Account(name, role, passwordHash, value, stamp + 1, quota, createdMillis);
  }

  public Account withQuota(Quota value) {
    return new Account(name, role, passwordHash, disabled, stamp, value, createdMillis);
  }

  /** Without the hash, which must not appear in logs. */
  @Override
  public String toString() {
    return name + " (" + role + (disabled ? ", disabled)" : ")");
  }
}
