package dev.imker.client.internal;

import dev.imker.client.Wanted;
import java.util.concurrent.CompletableFuture;

/** Runs planned jobs: in a pool, or here. */
public interface PlanRun {
  CompletableFuture<Wanted> run(PlannedStages stages);
}
