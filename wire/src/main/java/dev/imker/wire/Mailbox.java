package dev.imker.wire;

import dev.imker.wire.failure.SessionClosedException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in order, on threads of an executor. Each accepted session has
 * its own, so that a slow application delays that session only and never the reading of frames;
 * consecutive sessions of a connector share one. Lock-free: neither side ever waits for the other
 * to be scheduled.
 */
public final class Mailbox {

  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  private final Executor executor;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /**
   * The number of tasks added and not yet done. The caller that raises it from 0 starts the thread
   * that empties the mailbox.
   */
  private final AtomicInteger open = new AtomicInteger();

  Mailbox(Executor executor) {
    this.executor = executor;
  }

  void add(Runnable task) {
    tasks.add(task);
    if (open.getAndIncrement() == 0) {
      executor.execute(this::drain);
    }
  }

  private void drain() {
    do {
      runSafely(tasks.remove());
    } while (open.decrementAndGet() > 0);
  }

  /** A failing listener must not stop later deliveries. */
  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (SessionClosedException e) {
      LOG.debug("a session ended while its listener used it: {}", e.getMessage());
    } catch (Throwable e) {
      LOG.error("a session listener failed", e);
    }
  }
}
