package dev.imker.client.internal.local;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.pool.RemoteFuture;
import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.values.Values;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call on a thread of this program.
 *
 * @param copies gives a copy of it for each attempt
 */
record LocalCall(
    LocalExecutor executor, RemoteFuture<?> future, Supplier<Callable<@Nullable Object>> copies)
    implements Runnable {
  /** It will not be made any more. */
  void drop() {
    future.completeExceptionally(new CancellationException("The executor was shut down."));
  }

  @Override
  public void run() {
    String id = executor.nextId();
    AtomicReference<@Nullable Object> checkpoint = new AtomicReference<>();
    if (!future.begin(Thread.currentThread())) {
      return;
    }
    try {
      for (int attempt = 1; !future.isDone(); attempt++) {
        attempt(new LocalContext(id, attempt, executor, checkpoint), attempt);
      }
    } finally {
      future.end();
    }
  }

  /** Whether there is a further attempt; waits for as long as it has to before that. */
  private boolean isRetried(Throwable thrown, int attempt) {
    ExecutorOptions options = future.optionsOr(executor.options());
    if (!options.isRetried(thrown, attempt)) {
      return false;
    }
    try {
      Thread.sleep(options.pauseAfter(attempt));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void attempt(LocalContext context, int attempt) {
    CurrentTask.set(context);
    Limit limit = new Limit(Thread.currentThread(), future.optionsOr(executor.options()), attempt);
    try {
      byte[] result;
      try {
        limit.begin(future);
        result = Values.encode(copies.get().call(), "The result");
      } finally {
        limit.end();
      }
      future.completeWith(Values.decode(result, RemoteFuture.loader(future.call())));
    } catch (Throwable e) { // as any executor does
      if (!isRetried(e, attempt)) {
        future.completeExceptionally(e);
      }
    } finally {
      CurrentTask.clear();
      context.close();
    }
  }

  /** Ends an attempt that takes too long; nobody waits for one that goes on regardless. */
  private static final class Limit {
    private final Thread thread;
    private final ExecutorOptions options;
    private final int attempt;
    private boolean ended;
    private @Nullable TimeoutException late;

    Limit(Thread thread, ExecutorOptions options, int attempt) {
      this.thread = thread;
      this.options = options;
      this.attempt = attempt;
    }

    void begin(RemoteFuture<?> future) {
      long millis = options.maxRuntime().toMillis();
      if (millis > 0) {
        CompletableFuture.delayedExecutor(millis, MILLISECONDS, Thread::startVirtualThread)
            .execute(() -> over(future, millis));
      }
    }

    private synchronized void over(RemoteFuture<?> future, long millis) {
      if (!ended) {
        late =
            new TimeoutException("The call exceeded its time limit of " + millis / 1000.0 + " s.");
        if (!options.isRetried(late, attempt)) {
          future.completeExceptionally(late);
        }
        thread.interrupt();
      }
    }

    /**
     * The attempt is over.
     *
     * @throws TimeoutException if it was too late
     */
    synchronized void end() throws TimeoutException {
      ended = true;
      if (late != null) {
        var _ = Thread.interrupted(); // which was for this attempt
        throw late;
      }
    }
  }
}
