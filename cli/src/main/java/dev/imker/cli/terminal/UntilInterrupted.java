package dev.imker.cli.terminal;

import dev.imker.model.ImkerException;
import dev.imker.server.RunningServer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Keeps a command running until Ctrl-C or SIGTERM, then stops its parts before the process ends.
 */
public final class UntilInterrupted {
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Runnable stop;

  public UntilInterrupted(Runnable stop) {
    this.stop = stop;
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("stop").unstarted(this::stopOnce));
  }

  /** Returns only if the work ends by itself. */
  public void await() {
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The same for a command that runs a server: if that fails, everything is stopped and the command
   * fails, so that whatever watches over the process starts it again.
   *
   * @return the exit code
   */
  public int await(RunningServer server, PrintWriter err) {
    var _ = server.failure().thenRun(this::end);
    await();
    if (!server.failure().isDone()) {
      return ExitCodes.OK;
    }
    Throwable cause = server.failure().join();
    err.println(
        "The server failed and is stopping: "
            + (cause instanceof ImkerException ? cause.getMessage() : cause)
            + System.lineSeparator()
            + "See its log for details. Start it again to continue.");
    err.flush();
    Thread.ofPlatform().daemon().name("last-resort").start(UntilInterrupted::haltLater);
    stop.run();
    return ExitCodes.FAILED;
  }

  /** A process that has failed must end, even if a part of it cannot be stopped. */
  private static void haltLater() {
    try {
      Thread.sleep(STOP_PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(ExitCodes.FAILED);
  }

  /** The work ended by itself. */
  public void end() {
    stopped.countDown();
  }

  private synchronized void stopOnce() {
    if (stopped.getCount() > 0) {
      stop.run();
      stopped.countDown();
    }
  }
}
