package dev.imker.client.internal.local;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.pool.BaseExecutor;
import dev.imker.client.internal.pool.RemoteFuture;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The executor without a pool: threads of this program, no copies, no limits. */
public final class LocalExecutor extends BaseExecutor {
  private final LocalThreads threads;
  private final ExecutorOptions options;
  private final AtomicLong last = new AtomicLong();
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

  int retries() {
    return options.retries();
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

  @Override
  public void enqueue(RemoteFuture<?> future) {
    threads.execute(new LocalCall(this, future));
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
