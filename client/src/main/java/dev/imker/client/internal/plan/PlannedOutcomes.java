package dev.imker.client.internal.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.internal.pool.Followed;
import dev.imker.client.internal.pool.JobSession;
import dev.imker.client.plan.JobFailedException;
import dev.imker.client.plan.Wanted;
import dev.imker.model.ImkerException;
import dev.imker.tasks.values.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Waits for the end of a planned job and collects what its tasks left. */
final class PlannedOutcomes implements Followed {
  private final JobSession session;
  private final ClassLoader loader;
  private final Map<String, Object> given;
  private final List<String> names;
  private final CompletableFuture<Wanted> result = new CompletableFuture<>();
  private final CompletableFuture<Long> job = new CompletableFuture<>();
  private boolean collecting;

  /**
   * @param loader of the values' classes
   * @param given what the job has from the start
   * @param names of the tasks, in the order of their numbers
   */
  PlannedOutcomes(
      JobSession session, ClassLoader loader, Map<String, Object> given, List<String> names) {
    this.session = session;
    this.loader = loader;
    this.given = given;
    this.names = List.copyOf(names);
    var _ =
        result.whenComplete(
            (_, _) -> {
              if (result.isCancelled()) {
                cancelJob();
              }
            });
  }

  CompletableFuture<Wanted> result() {
    return result;
  }

  void submitted(long id) {
    job.complete(id);
  }

  private void cancelJob() {
    var _ = job.thenAccept(id -> session.cancel(id, Map.of()));
  }

  /** A task may be done again, so only the job's end counts. */
  @Override
  public void ended(Outcome outcome) {}

  @Override
  public void settled(boolean allTold) {
    synchronized (this) {
      if (collecting) {
        return;
      }
      collecting = true;
    }
    session.workers().execute(this::collect);
  }

  @Override
  public synchronized boolean isOver() {
    return collecting || result.isDone();
  }

  @Override
  public void cancel() {
    result.cancel(false);
  }

  @Override
  public void fail(RuntimeException cause) {
    result.completeExceptionally(cause);
  }

  private void collect() {
    try {
      long id = job.join();
      JsonNode view = session.rest().get("/api/v1/jobs/" + id);
      List<JsonNode> outcomes = session.outcomes(id);
      if (view.path("status").asText().equals("DONE")) {
        result.complete(new Wanted(values(id, outcomes)));
      } else {
        result.completeExceptionally(failure(id, view, outcomes));
      }
    } catch (RuntimeException | LinkageError e) { // values run code of their classes
      result.completeExceptionally(e);
    } catch (java.io.IOException e) {
      result.completeExceptionally(new ImkerException("Results cannot be read.", e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      result.completeExceptionally(new ImkerException("The connection to the pool was closed.", e));
    }
  }

  /** What all tasks left; of one that several left, what the last one in the plan did. */
  private Map<String, Object> values(long id, List<JsonNode> outcomes)
      throws java.io.IOException, InterruptedException {
    Map<String, Object> values = new LinkedHashMap<>(given);
    for (JsonNode outcome : outcomes) {
      byte[] bytes = session.stdout(id, outcome);
      if (bytes != null && Values.decode(bytes, loader) instanceof Map<?, ?> map) {
        map.forEach((name, value) -> values.put(String.valueOf(name), value));
      }
    }
    return values;
  }

  private JobFailedException failure(long id, JsonNode view, List<JsonNode> outcomes) {
    StringBuilder why = new StringBuilder("Job " + id + " " + view.path("status").asText());
    for (JsonNode outcome : outcomes) {
      String state = outcome.path("state").asText();
      String error = outcome.path("error").asText("");
      int task = outcome.path("number").asInt() - 1;
      if (!state.equals("DONE")
          && !state.equals("CANCELLED")
          && !error.isEmpty()
          && !error.startsWith("predecessor")) {
        why.append("; task ").append(task + 1);
        why.append(task < names.size() ? " (" + names.get(task) + "): " : ": ").append(error);
      }
    }
    return new JobFailedException(why.append(way(view.path("phase").asText())).toString());
  }

  /** How the job as a whole stands now. */
  private static String way(String phase) {
    return switch (phase) {
      case "ROLLED_BACK" -> "; everything that was done has been undone";
      case "ROLLBACK_FAILED" -> "; not everything that was done could be undone";
      default -> phase.startsWith("RESTARTED ") ? "; it had been restarted before" : "";
    };
  }
}
