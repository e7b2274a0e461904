package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Stopwatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets techniques run at the same time, each in its own thread, until one of them has an answer.
 */
final class Race {
  private static final long STACK_BYTES = 512L << 20;
  private static final long MILLIS_BETWEEN_CHECKS = 20;

  private final Stopwatch stopwatch;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger running = new AtomicInteger();
  private final CompletableFuture<Solution> winner = new CompletableFuture<>();

  Race(Stopwatch stopwatch) {
    this.stopwatch = stopwatch;
  }

  /**
   * @throws Stopwatch.Stopped when the time is over or no technique can tell
   */
  Solution run(List<Technique> techniques) {
    if (techniques.isEmpty()) {
      throw new Stopwatch.Stopped();
    }
    running.set(techniques.size());
    try {
      for (Technique technique : techniques) {
        Stopwatch own = stopwatch.forked(over::get);
        Thread runner = new Thread(null, () -> run(technique, own), "imker-planner", STACK_BYTES);
        runner.setDaemon(true);
        runner.start();
      }
      return await();
    } finally {
      over.set(true);
    }
  }

  private void run(Technique technique, Stopwatch own) {
    try {
      Solution solution = tryToSolve(technique, own);
      if (solution != null) {
        winner.complete(solution);
      }
    } catch (RuntimeException failure) {
      winner.completeExceptionally(failure);
    } finally {
      if (running.decrementAndGet() == 0) {
        winner.completeExceptionally(new Stopwatch.Stopped());
      }
    }
  }

  /** Running out of memory or stack is one technique's failure; another may do with less. */
  private static @Nullable Solution tryToSolve(Technique technique, Stopwatch own) {
    try {
      return technique.run(own);
    } catch (OutOfMemoryError | StackOverflowError _) {
      return null;
    }
  }

  private Solution await() {
    while (true) {
      try {
        return winner.get(MILLIS_BETWEEN_CHECKS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException _) {
        if (stopwatch.isOver()) {
          throw new Stopwatch.Stopped();
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw new Stopwatch.Stopped();
      } catch (ExecutionException failure) {
        if (failure.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException(failure.getCause());
      }
    }
  }
}
