package dev.imker.model.account;

/**
 * How much an account may use at a time.
 *
 * @param tasks tasks that are not settled
 * @param storageBytes files sent, and files and output that came out
 * @param slots tasks that run at the same time
 */
public record Quota(long tasks, long storageBytes, long slots) {
  /** A limit that is none. */
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
