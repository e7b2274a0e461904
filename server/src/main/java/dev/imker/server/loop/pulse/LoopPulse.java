package dev.imker.server.loop.pulse;

import dev.imker.store.NonBlockingThread;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Signs of life of the loop's thread, which writes them; others read them. A thread that waits for
 * its store is told apart from one that is busy with something else.
 */
public final class LoopPulse {
  private static final long NOT = 0;

  private volatile long busySince = NOT;
  private volatile long waitingSince = NOT;

  /** A turn begins. */
  public void beat() {
    busySince = now();
  }

  /** There is nothing to do. */
  public void idle() {
    busySince = NOT;
  }

  /**
   * Reads or writes: the only things that the thread waits for. What the store does is not the
   * loop's fault, so the time of it does not count as busy.
   */
  public <T> T waitFor(Supplier<T> work) {
    waits(true);
    try {
      return NonBlockingThread.waiting(work);
    } finally {
      waits(false);
    }
  }

  private void waits(boolean on) {
    waitingSince = on ? now() : NOT;
    busySince = now();
  }

  /** How long the present turn takes already; 0 if the thread waits for work or for its store. */
  public long busyMillis() {
    return waitingSince == NOT ? millisSince(busySince) : 0;
  }

  /** How long the store takes already. */
  public long waitingMillis() {
    return millisSince(waitingSince);
  }

  private static long now() {
    long nanos = System.nanoTime();
    return nanos == NOT ? 1 : nanos;
  }

  private static long millisSince(long nanos) {
    return nanos == NOT ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
