package dev.imker.client.internal.plan;

import dev.imker.client.executor.JobHandle;
import dev.imker.client.internal.pool.JavaJob;
import dev.imker.client.internal.pool.JobSession;
import dev.imker.client.internal.pool.PoolJob;
import dev.imker.client.internal.pool.PoolLibraries;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.client.plan.Wanted;
import dev.imker.model.ImkerException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Planned jobs in a pool. What becomes of a job after a failure is the pool's business: it tries
 * tasks again, begins again, or undoes what was done, whether or not this program still listens.
 */
public record PoolPlanRun(JobSession session) implements PlanRun {
  @Override
  public CompletableFuture<Wanted> run(PlannedStages stages) {
    Shipping.Library library = stages.actions().shipping().library();
    List<String> names = IntStream.range(0, stages.size()).mapToObj(stages::className).toList();
    stages.requireShippable();
    PlannedOutcomes outcomes =
        new PlannedOutcomes(session, stages.actions().loader(), stages.given(), names);
    session.workers().execute(() -> submit(library, stages, outcomes));
    return outcomes.result();
  }

  /** The same stages make the same job, so that it is found again by its key. */
  @Override
  public JobHandle<Wanted> run(PlannedStages stages, String key) {
    stages.requireShippable();
    try {
      JavaJob job = job(stages.actions().shipping().library(), stages, "key:" + key);
      long id = session.submitDurably(stages.toJson(job), job.blobs(), key);
      return follow(session, key, id, stages.actions().loader(), stages.given());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while submitting a planned job", e);
    }
  }

  /**
   * Follows a planned job.
   *
   * @param loader of the classes of its values
   * @param given what it had from the start, as far as that is known
   */
  public static JobHandle<Wanted> follow(
      JobSession session, String key, long id, ClassLoader loader, Map<String, Object> given) {
    return PoolJob.follow(
        session,
        key,
        id,
        number -> {
          PlannedOutcomes outcomes = new PlannedOutcomes(session, loader, given, List.of());
          outcomes.submitted(number);
          outcomes.settled(true);
          try {
            return outcomes.result().join();
          } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
          }
        });
  }

  private JavaJob job(Shipping.Library library, PlannedStages stages, String scope)
      throws InterruptedException {
    return stages.job(library, scope, session.signatures().of(library.ids()));
  }

  @Override
  public Path library(String name) {
    try {
      return new PoolLibraries(session).fetch(name);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while fetching a task library", e);
    }
  }

  private void submit(Shipping.Library library, PlannedStages stages, PlannedOutcomes outcomes) {
    try {
      JavaJob job = job(library, stages, UUID.randomUUID().toString());
      outcomes.submitted(session.submit(stages.toJson(job), job.blobs(), outcomes));
    } catch (ImkerException e) {
      outcomes.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      outcomes.fail(new ImkerException("The connection to the pool was closed.", e));
    }
  }
}
