package dev.imker.client.internal.plan;

import dev.imker.client.executor.JobHandle;
import dev.imker.client.plan.Wanted;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Runs planned jobs: in a pool, or here. */
public interface PlanRun {
  CompletableFuture<Wanted> run(PlannedStages stages);

  /** Runs a job that outlives the program, or finds it if it runs already. */
  JobHandle<Wanted> run(PlannedStages stages, String key);

  /**
   * Fetches the jar of a task library.
   *
   * @param name of it, or name and version with a colon between them; the newest without one
   * @throws dev.imker.model.ImkerException if there is none
   */
  Path library(String name);
}
