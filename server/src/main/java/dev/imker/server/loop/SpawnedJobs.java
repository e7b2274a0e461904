package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.server.live.LiveJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

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
  private final Map<JobId, SortedSet<JobId>> byJob = new HashMap<>();

  void add(LiveJob job) {
    SpawnKey.parse(job.requestKey())
        .ifPresent(
            key ->
                byParent
                    .computeIfAbsent(key.parent(), _ -> new Family(key.agent(), new ArrayList<>()))
                    .children
                    .add(job.id()));
    parentOf(job)
        .ifPresent(parent -> byJob.computeIfAbsent(parent, _ -> new TreeSet<>()).add(job.id()));
  }

  private static Optional<JobId> parentOf(LiveJob job) {
    return SpawnKey.parse(job.requestKey()).map(key -> key.parent().task().job());
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
    parentOf(job)
        .ifPresent(
            parent ->
                byJob.computeIfPresent(
                    parent,
                    (_, children) -> {
                      children.remove(job.id());
                      return children.isEmpty() ? null : children;
                    }));
  }

  /** What tasks of a job have spawned, the oldest first. */
  public List<JobId> by(JobId parent) {
    return List.copyOf(byJob.getOrDefault(parent, Collections.emptySortedSet()));
  }

  /**
   * What tasks of a job have spawned, and what these have, and so on.
   *
   * @param most no more than so many, since this is looked up on the loop's thread
   */
  public List<JobId> below(JobId ancestor, int most) {
    List<JobId> all = new ArrayList<>();
    add(all, ancestor, most);
    for (int i = 0; i < all.size() && all.size() < most; i++) {
      add(all, all.get(i), most);
    }
    return all;
  }

  private void add(List<JobId> all, JobId parent, int most) {
    for (JobId child : byJob.getOrDefault(parent, Collections.emptySortedSet())) {
      if (all.size() == most) {
        return;
      }
      all.add(child);
    }
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
