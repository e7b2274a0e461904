package dev.imker.client.internal.local;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.pool.BaseExecutor;
import dev.imker.client.internal.pool.RemoteFuture;
import dev.imker.tasks.values.CallTable;
import dev.imker.tasks.values.ValueException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The executor without a pool: threads of this program. Calls and results are copied as if they
 * travelled, so that what works here works in a pool too.
 */
public final class LocalExecutor extends BaseExecutor {
  private static final int MAX_TEMPLATES = 500;

  private final LocalThreads threads;
  private final ExecutorOptions options;
  private final AtomicLong last = new AtomicLong();
  private CallTable.Templates templates = new CallTable.Templates();
  private CallTable.@Nullable Reader reader;
  private @Nullable ClassLoader readerLoader;
  private final LocalCoordination coordination = new LocalCoordination();

  /**
   * @param options of which retries and files count here
   */
  public LocalExecutor(LocalThreads threads, ExecutorOptions options) {
    this.threads = threads;
    this.options = options;
  }

  /** What calls find in their folders. */
  Map<String, Path> files() {
    return options.files();
  }

  /** Whether a call that threw is tried again; waits for as long as it has to before. */
  boolean isRetried(Throwable thrown, int attempt) {
    boolean retried =
        attempt <= options.retries()
            && thrown instanceof Exception
            && (options.retriedOn().isEmpty()
                || options.retriedOn().stream().anyMatch(type -> type.isInstance(thrown)));
    try {
      Thread.sleep(retried ? options.backoff().toMillis() << Math.min(attempt - 1, 20) : 0);
      return retried;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  String nextId() {
    return "local." + last.incrementAndGet();
  }

  LocalThreads threads() {
    return threads;
  }

  LocalCoordination coordination() {
    return coordination;
  }

  /**
   * Gives a copy of a call each time.
   *
   * @throws ValueException if it cannot travel
   */
  private synchronized Supplier<Callable<@Nullable Object>> copies(Object call) {
    ClassLoader loader = RemoteFuture.loader(call);
    if (templates.size() >= MAX_TEMPLATES) {
      templates = new CallTable.Templates();
    }
    int before = templates.size();
    byte[] code =
        call instanceof RemoteFuture.Application(Object function, Object argument)
            ? templates.encode(function, argument)
            : templates.encode(call);
    if (reader == null || templates.size() != before || !loader.equals(readerLoader)) {
      reader = new CallTable.Reader(templates.table(), loader);
      readerLoader = loader;
    }
    CallTable.Reader own = reader;
    return () -> own.read(code);
  }

  @Override
  public void enqueue(RemoteFuture<?> future) {
    try {
      threads.execute(new LocalCall(this, future, copies(future.call())));
    } catch (ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
  }

  @Override
  public void shutdown() {
    threads.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> never = new ArrayList<>();
    for (Runnable waiting : threads.shutdownNow()) {
      if (waiting instanceof LocalCall call) {
        call.drop();
        never.add(call.future());
      } else {
        never.add(waiting);
      }
    }
    return never;
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
