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
 * its own, so that a slow application delays that session only and never the reading of frames; the
 * sessions that a connector has one after the other share one. Without locks: neither side ever
 * waits for the other to be scheduled.
 */
public final class Mailbox {

  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  private final Executor executor;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Tasks added and not yet done. Whoever raises it from 0 starts the thread that empties it. */
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

  /** A failing listener must not end the delivery of what comes after. */
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
