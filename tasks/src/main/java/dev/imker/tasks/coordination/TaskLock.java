package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.OptionalLong;

/** A lock that one task holds at a time. It is not bound to a thread. */
public interface TaskLock {
  /**
   * Waits for the lock.
   *
   * @return the fencing token: greater than that of every holder before. Pass it on to whatever the
   *     lock protects, so that it can refuse a holder who has lost the lock without knowing it
   */
  long acquire() throws InterruptedException;

  /** The fencing token, or nothing if the lock was not free within the time. */
  OptionalLong tryAcquire(Duration patience) throws InterruptedException;

  void release() throws InterruptedException;
}
