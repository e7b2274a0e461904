package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.server.live.LiveJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The jobs in memory that running tasks spawned, by the lease of the task. It follows from the keys
 * of the jobs, so it is there after a restart or a fail-over, and goes with the jobs.
 */
public final class SpawnedJobs {
  private record Family(AgentId agent, List<JobId> children) {}

  /** Hears of jobs that one lease has spawned. */
  @FunctionalInterface
  public interface Visitor {
    void visit(AgentId agent, Lease parent, List<JobId> children);
  }

  private final Map<Lease, Family> byParent = new HashMap<>();

  void add(LiveJob job) {
    SpawnKey.parse(job.requestKey())
        .ifPresent(
            key ->
                byParent
                    .computeIfAbsent(key.parent(), _ -> new Family(key.agent(), new ArrayList<>()))
                    .children
                    .add(job.id()));
  }

  void remove(LiveJob job) {
    SpawnKey.parse(job.requestKey())
        .ifPresent(
            key ->
                byParent.computeIfPresent(
                    key.parent(),
                    (_, family) -> {
                      family.children.remove(job.id());
                      return family.children.isEmpty() ? null : family;
                    }));
  }

  public boolean isEmpty() {
    return byParent.isEmpty();
  }

  public List<JobId> of(Lease parent) {
    Family family = byParent.get(parent);
    return family == null ? List.of() : List.copyOf(family.children);
  }

  public void forEach(Visitor visitor) {
    byParent.forEach(
        (parent, family) -> visitor.visit(family.agent, parent, List.copyOf(family.children)));
  }
}
