package dev.imker.client.internal.pool;

import dev.imker.client.executor.JobHandle;
import dev.imker.client.executor.JobProgress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A job that no pool knows, and that ends with the program.
 *
 * @param parts what it waits for
 */
public record LocalJob<T>(
    String key, CompletableFuture<T> result, List<? extends CompletableFuture<?>> parts)
    implements JobHandle<T> {
  @Override
  public long id() {
    return 0;
  }

  @Override
  public JobProgress progress() {
    long failed = parts.stream().filter(CompletableFuture::isCompletedExceptionally).count();
    long done = parts.stream().filter(CompletableFuture::isDone).count() - failed;
    boolean over = done + failed == parts.size();
    String status = over ? (failed > 0 ? "FAILED" : "DONE") : "RUNNING";
    return new JobProgress(status, over, parts.size(), parts.size() - done - failed, done, failed);
  }

  @Override
  public void onProgress(Consumer<JobProgress> listener) {
    listener.accept(progress());
    for (CompletableFuture<?> part : parts) {
      var _ = part.whenComplete((_, _) -> listener.accept(progress()));
    }
  }

  @Override
  public void cancel() {
    parts.forEach(part -> part.cancel(true));
  }
}
