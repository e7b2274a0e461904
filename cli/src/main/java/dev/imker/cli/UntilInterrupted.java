package dev.imker.cli;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps a command running until Ctrl-C or SIGTERM, then stops its parts before the process ends.
 */
final class UntilInterrupted {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Runnable stop;

  UntilInterrupted(Runnable stop) {
    this.stop = stop;
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(this::stopOnce));
  }

  /** Returns only if the work ends by itself. */
  void await() {
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The work ended by itself. */
  void end() {
    stopped.countDown();
  }

  private synchronized void stopOnce() {
    if (stopped.getCount() > 0) {
      stop.run();
      stopped.countDown();
    }
  }
}
