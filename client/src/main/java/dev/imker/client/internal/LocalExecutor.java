package dev.imker.client.internal;

import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.RemoteFunction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The executor without a pool: threads of this program, no copies, no limits. */
public final class LocalExecutor extends BaseExecutor {
  private final LocalThreads threads;
  private final Map<String, Path> files;
  private final AtomicLong last = new AtomicLong();
  private final LocalCoordination coordination = new LocalCoordination();

  public LocalExecutor(LocalThreads threads, Map<String, Path> files) {
    this.threads = threads;
    this.files = Map.copyOf(files);
  }

  /** What calls find in their folders. */
  Map<String, Path> files() {
    return files;
  }

  LocalThreads threads() {
    return threads;
  }

  LocalCoordination coordination() {
    return coordination;
  }

  @Override
  void enqueue(RemoteFuture<?> future) {
    threads.execute(
        () -> {
          if (future.isDone()) {
            return;
          }
          LocalContext context =
              new LocalContext("local." + last.incrementAndGet(), 1, this, new AtomicReference<>());
          CurrentTask.set(context);
          try {
            future.completeWith(value(future.call()));
          } catch (Throwable e) { // as any executor does
            future.completeExceptionally(e);
          } finally {
            CurrentTask.clear();
            context.close();
          }
        });
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

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return threads.shutdownNow();
  }

  @Override
  public boolean isShutdown() {
    return threads.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return threads.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return threads.awaitTermination(timeout, unit);
  }
}
