package dev.imker.client.internal.local;

import dev.imker.client.internal.pool.RemoteFuture;
import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.RemoteFunction;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call on a thread of this program. */
record LocalCall(LocalExecutor executor, RemoteFuture<?> future) implements Runnable {
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
      future.completeWith(value(future.call()));
    } catch (Throwable e) { // as any executor does
      if (!(e instanceof Exception) || attempt > executor.retries()) {
        future.completeExceptionally(e);
      }
    } finally {
      CurrentTask.clear();
      context.close();
    }
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // what a function takes is between it and its caller
  private static @Nullable Object value(Object call) throws Exception {
    return switch (call) {
      case RemoteFuture.Application(Object function, Object argument) ->
          ((RemoteFunction<Object, Object>) function).apply(argument);
      case Callable<?> callable -> callable.call();
      case Runnable runnable -> {
        runnable.run();
        yield null;
      }
      default -> throw new IllegalArgumentException("neither a Callable nor a Runnable");
    };
  }
}
