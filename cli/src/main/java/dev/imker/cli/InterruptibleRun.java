package dev.imker.cli;

import dev.imker.charts.Cancellation;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Work that Ctrl-C ends early, and that keeps what it has got until then. */
final class InterruptibleRun {
  private static final long PATIENCE_SECONDS = 120;

  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean interrupted;

  /** Does the work on this thread; the process does not end before it has returned. */
  <T> T run(Function<Cancellation, T> work) {
    Thread hook = Thread.ofPlatform().name("interrupt").unstarted(this::interrupt);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return work.apply(() -> interrupted);
    } finally {
      finished.countDown();
      if (!interrupted) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  boolean isInterrupted() {
    return interrupted;
  }

  private void interrupt() {
    interrupted = true;
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("imker: the report was not finished in time.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
