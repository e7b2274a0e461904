package dev.imker.model.account;

/**
 * How much an account may use at the same time.
 *
 * @param tasks tasks that are not settled
 * @param storageBytes uploaded files, results and output
 * @param slots tasks that run at the same time
 */
public record Quota(long tasks, long storageBytes, long slots) {
  /** No limit. */
  public static final long UNLIMITED = -1;

  public static final Quota NONE = new Quota(UNLIMITED, UNLIMITED, UNLIMITED);

  public boolean limitsTasks() {
    return tasks != UNLIMITED;
  }

  public boolean limitsStorage() {
    return storageBytes != UNLIMITED;
  }

  public boolean limitsSlots() {
    return slots != UNLIMITED;
  }
}
