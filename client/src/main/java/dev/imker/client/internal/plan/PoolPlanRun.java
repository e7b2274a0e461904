package dev.imker.client.internal.plan;

import dev.imker.client.internal.pool.JavaJob;
import dev.imker.client.internal.pool.JobSession;
import dev.imker.client.internal.pool.PoolLibraries;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.client.plan.Wanted;
import dev.imker.model.ImkerException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
      JavaJob job = stages.job(library, session.signatures().of(library.ids()));
      outcomes.submitted(session.submit(stages.toJson(job), job.blobs(), outcomes));
    } catch (ImkerException e) {
      outcomes.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      outcomes.fail(new ImkerException("The connection to the pool was closed.", e));
    }
  }
}
