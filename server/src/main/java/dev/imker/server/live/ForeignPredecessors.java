package dev.imker.server.live;

import dev.imker.model.JobId;
import dev.imker.model.job.StageGraph;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which jobs in memory have tasks that wait for those of other jobs. */
public final class ForeignPredecessors {
  private final Map<JobId, Set<JobId>> dependants = new HashMap<>();

  public void add(LiveJob job) {
    for (JobId before : before(job)) {
      dependants.computeIfAbsent(before, _ -> new LinkedHashSet<>()).add(job.id());
    }
  }

  public void remove(LiveJob job) {
    for (JobId before : before(job)) {
      dependants.computeIfPresent(
          before, (_, known) -> known.remove(job.id()) && known.isEmpty() ? null : known);
    }
  }

  /** Jobs whose tasks wait for those of this one. */
  public Set<JobId> of(JobId job) {
    return dependants.getOrDefault(job, Set.of());
  }

  public Set<JobId> all() {
    return Set.copyOf(dependants.keySet());
  }

  private static Set<JobId> before(LiveJob job) {
    return StageGraph.jobsBefore(job.spec());
  }
}
