package dev.imker.server.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscArrayQueue;
import org.jspecify.annotations.Nullable;

/** Commands on their way to the loop, from any thread. Bounded: senders wait while it is full. */
final class Inbox {
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Thousands may wait at the same time, so they must not look too often. */
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final MpscArrayQueue<Command> queue;
  private volatile @Nullable Thread parked;

  Inbox(int capacity) {
    queue = new MpscArrayQueue<>(capacity);
  }

  /** Returns false if there was no room within the time. */
  boolean put(Command command, long patienceMillis) {
    if (!queue.offer(command) && !putSlowly(command, patienceMillis)) {
      return false;
    }
    Thread loop = parked;
    if (loop != null) {
      parked = null;
      LockSupport.unpark(loop);
    }
    return true;
  }

  private boolean putSlowly(Command command, long patienceMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    long pauseNanos = FIRST_PAUSE_NANOS;
    do {
      LockSupport.parkNanos(this, pauseNanos);
      if (queue.offer(command)) {
        return true;
      }
      pauseNanos = Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
    } while (System.nanoTime() < deadline && !Thread.currentThread().isInterrupted());
    return false;
  }

  /** The next command; on the loop's thread only. */
  @Nullable Command poll() {
    return queue.poll();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  int size() {
    return queue.size();
  }

  /** Waits for a command, on the loop's thread only; returns early for no reason at times. */
  void await(long nanos) {
    parked = Thread.currentThread();
    if (queue.isEmpty()) {
      LockSupport.parkNanos(this, nanos);
    }
    parked = null;
  }

  void wake() {
    Thread loop = parked;
    if (loop != null) {
      LockSupport.unpark(loop);
    }
  }
}
