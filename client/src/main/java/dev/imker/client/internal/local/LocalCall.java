package dev.imker.client.internal.local;

import dev.imker.client.internal.pool.RemoteFuture;
import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.values.Values;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
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

  private void attempt(LocalContext context, int attempt) {
    CurrentTask.set(context);
    try {
      byte[] result = Values.encode(copies.get().call(), "The result");
      future.completeWith(Values.decode(result, RemoteFuture.loader(future.call())));
    } catch (Throwable e) { // as any executor does
      if (!executor.isRetried(e, attempt)) {
        future.completeExceptionally(e);
      }
    } finally {
      CurrentTask.clear();
      context.close();
    }
  }
}
