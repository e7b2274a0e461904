package dev.imker.client.internal.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.executor.JobHandle;
import dev.imker.client.executor.JobProgress;
import dev.imker.client.internal.http.RestClient;
import dev.imker.model.ImkerException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A job of a pool, followed by its number. */
public final class PoolJob<T> implements JobHandle<T> {
  /** Reads what a job has come to once it is over. */
  public interface Results<T> {
    T of(long job) throws InterruptedException;
  }

  private final JobSession session;
  private final String key;
  private final long id;
  private final Results<T> results;
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final List<Consumer<JobProgress>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable JobProgress last;

  private PoolJob(JobSession session, String key, long id, Results<T> results) {
    this.session = session;
    this.key = key;
    this.id = id;
    this.results = results;
  }

  /** Follows a job from now on. */
  public static <T> PoolJob<T> follow(JobSession session, String key, long id, Results<T> results) {
    PoolJob<T> job = new PoolJob<>(session, key, id, results);
    session.workers().execute(job::follow);
    return job;
  }

  private void follow() {
    try {
      session.rest().events("/api/v1/outcomes?job=" + id, () -> true).listen(this::heard);
      result.complete(results.of(id));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result.completeExceptionally(
          new ImkerException(
              "The connection to the pool was closed; job %d keeps running (key %s)."
                  .formatted(id, key)));
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private boolean heard(String event, String data) {
    if (!event.equals("job")) {
      return true;
    }
    try {
      JobProgress now = read(RestClient.JSON.readTree(data));
      last = now;
      listeners.forEach(listener -> listener.accept(now));
      return !now.over();
    } catch (JsonProcessingException e) {
      throw new ImkerException("The server sent an event of job " + id + " that is not JSON.", e);
    }
  }

  private static JobProgress read(JsonNode view) {
    JsonNode counts = view.path("counts");
    return new JobProgress(
        view.path("status").asText(),
        view.hasNonNull("settled"),
        view.path("tasks").asLong(),
        counts.path("running").asLong(),
        counts.path("done").asLong(),
        counts.path("failed").asLong() + counts.path("autoBlocked").asLong());
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public CompletableFuture<T> result() {
    return result.copy();
  }

  @Override
  public JobProgress progress() {
    try {
      return read(session.rest().get("/api/v1/jobs/" + id));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while waiting for job " + id, e);
    }
  }

  @Override
  public void onProgress(Consumer<JobProgress> listener) {
    listeners.add(listener);
    JobProgress known = last;
    if (known != null) {
      listener.accept(known);
    }
  }

  @Override
  public void cancel() {
    session.cancel(id, Map.of());
  }
}
