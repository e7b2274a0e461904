package dev.imker.wire;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in order, on threads of an executor. Used per session, so that a
 * slow application delays its own session only and never the reading of frames.
 */
final class Mailbox {

  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  private final Executor executor;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  Mailbox(Executor executor) {
    this.executor = executor;
  }

  void add(Runnable task) {
    synchronized (tasks) {
      tasks.addLast(task);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::drain);
  }

  private void drain() {
    while (true) {
      Runnable task;
      synchronized (tasks) {
        task = tasks.pollFirst();
        if (task == null) {
          running = false;
          return;
        }
      }
      runSafely(task);
    }
  }

  /** A failing listener must not end the delivery of what comes after. */
  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      LOG.error("a session listener failed", e);
    }
  }
}
