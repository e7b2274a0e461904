package dev.imker.store;

import dev.imker.model.JobStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list; null and an empty set match everything. Of jobs with live tasks the store
 * does not know the current counts: if any status of an open job is asked for, it returns all jobs
 * with live tasks, and the owner of the live state narrows them down.
 *
 * @param name {@code *} and {@code ?} in it stand for any signs and for any one
 */
public record JobFilter(
    Set<JobStatus> statuses,
    @Nullable String name,
    @Nullable String project,
    @Nullable String user) {
  public static final JobFilter ALL = new JobFilter(Set.of(), null, null, null);

  public JobFilter {
    statuses = Set.copyOf(statuses);
  }

  public JobFilter withStatuses(Set<JobStatus> wanted) {
    return new JobFilter(wanted, name, project, user);
  }

  public JobFilter withName(String wanted) {
    return new JobFilter(statuses, wanted, project, user);
  }

  public JobFilter withProject(String wanted) {
    return new JobFilter(statuses, name, wanted, user);
  }

  public JobFilter withUser(String wanted) {
    return new JobFilter(statuses, name, project, wanted);
  }
}
