package dev.imker.cli.terminal;

import dev.imker.model.ImkerException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A part of a command on a thread of its own. Its failure is thrown where it is waited for.
 *
 * @param <T> what comes of it
 */
public final class Background<T> {
  private final FutureTask<T> task;
  private final Thread thread;

  private Background(FutureTask<T> task) {
    this.task = task;
    this.thread = Thread.ofVirtual().start(task);
  }

  public static <T> Background<T> run(Callable<T> work) {
    return new Background<>(new FutureTask<>(work));
  }

  /** Waits for its end. */
  public void join() {
    within(Duration.ofNanos(Long.MAX_VALUE));
  }

  /** What comes of it; nothing if it takes longer, then it is ended. */
  public Optional<T> within(Duration limit) {
    try {
      try {
        return Optional.of(task.get(limit.toNanos(), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        task.cancel(true);
        thread.join();
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
