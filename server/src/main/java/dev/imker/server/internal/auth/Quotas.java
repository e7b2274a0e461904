package dev.imker.server.internal.auth;

import dev.imker.model.account.Account;
import dev.imker.model.account.Quota;
import dev.imker.store.AccountReads;

/** Rejects what exceeds a user's quota, with the figures. */
public record Quotas(Accounts accounts, AccountReads reads) {
  private static final long KIB = 1024;

  public Quota of(String user) {
    return accounts.find(user).map(Account::quota).orElse(Quota.NONE);
  }

  /** How many bytes a user may still bring. */
  public long storageLeft(String user) {
    Quota quota = of(user);
    return quota.limitsStorage() ? quota.storageBytes() - reads.storageBytes(user) : Long.MAX_VALUE;
  }

  /** Complains unless so many bytes more have room. */
  public void requireStorage(String user, long moreBytes) {
    if (moreBytes > storageLeft(user)) {
      throw storageExceeded(user, moreBytes);
    }
  }

  public QuotaExceededException storageExceeded(String user, long moreBytes) {
    return new QuotaExceededException(
        "The storage quota of %s is %s; %s are in use and %s more do not fit. Delete old jobs, or ask an admin for more (imker users quota %s --storage SIZE)."
            .formatted(
                user,
                bytes(of(user).storageBytes()),
                bytes(reads.storageBytes(user)),
                bytes(moreBytes),
                user));
  }

  public static QuotaExceededException tasksExceeded(
      String user, long limit, long live, long more) {
    return new QuotaExceededException(
        "The quota of %s is %,d unfinished tasks; there are %,d, and this job adds %,d. Wait, cancel some, or ask an admin for more (imker users quota %s --tasks N)."
            .formatted(user, limit, live, more, user));
  }

  static String bytes(long bytes) {
    if (bytes < KIB) {
      return bytes + " bytes";
    }
    String[] units = {"KB", "MB", "GB", "TB"};
    double value = bytes;
    int unit = -1;
    while (value >= KIB && unit < units.length - 1) {
      value /= KIB;
      unit++;
    }
    return "%.1f %s".formatted(value, units[unit]);
  }
}
