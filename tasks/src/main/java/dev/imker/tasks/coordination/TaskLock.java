package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.OptionalLong;

/** A lock held by one task at a time. It is not bound to a thread. */
public interface TaskLock {
  /**
   * Waits for the lock.
   *
   * @return the fencing token, greater than that of every previous holder. Pass it to whatever the
   *     lock protects, so that it can reject a holder that has lost the lock without noticing
   */
  long acquire() throws InterruptedException;

  /** The fencing token, or empty if the lock did not become free within the time. */
  OptionalLong tryAcquire(Duration patience) throws InterruptedException;

  void release() throws InterruptedException;
}
