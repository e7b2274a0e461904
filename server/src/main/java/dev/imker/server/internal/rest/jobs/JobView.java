package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.imker.core.message.ExpectedEnd;
import dev.imker.core.message.JobPhase;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.job.JobSpec;
import dev.imker.server.gateway.TaskProgress;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.loop.SpawnKey;
import dev.imker.store.JobRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job for callers.
 *
 * @param phase how the job as a whole stands after a failure; RUNNING before one
 * @param settled null while tasks are open
 * @param progress how far it is with what its running tasks say; only if one of them does
 * @param expectedEnd when it should be at its end by the run times of its project; only while tasks
 *     of it run and run times are known
 * @param spawnedBy the task that spawned it; null if none did
 * @param spawned what its tasks have spawned, and these, as long as the server has it in memory;
 *     only with the spec
 * @param group what jobs of one executor of a Java program, or turns of one actor, have in common
 * @param spec only where it was asked for
 * @param published versions of data that its stages have published, as rain@3; only with the spec
 * @param warnings what its submitter should know of; only in the answer to a submission
 */
public record JobView(
    long id,
    String name,
    String user,
    String project,
    String kind,
    String status,
    String phase,
    int tasks,
    CountsView counts,
    int priority,
    String submitted,
    @Nullable String settled,
    List<String> command,
    @JsonInclude(JsonInclude.Include.NON_NULL) TaskProgress.@Nullable Said progress,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Expected expectedEnd,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String spawnedBy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Spawned spawned,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String group,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JobSpec spec,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> published,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {
  static JobView of(
      JobRecord job, int[] counts, long skipped, int priority, @Nullable JobSpec spec) {
    JobStatus status = JobStatus.of(counts);
    return new JobView(
        job.id().value(),
        job.name(),
        job.project().user(),
        job.project().name(),
        job.kind().name(),
        status.name(),
        JobPhase.parse(job.phase()).shown(),
        job.taskCount(),
        CountsView.of(counts).withSkipped(skipped),
        priority,
        Times.iso(job.submittedMillis()),
        job.isSettled() && status.isSettled() ? Times.iso(job.settledMillis()) : null,
        job.command(),
        null,
        null,
        SpawnKey.parse(job.requestKey()).map(key -> key.parent().task().toString()).orElse(null),
        null,
        group(job),
        spec,
        List.of(),
        List.of());
  }

  /** Programs number their jobs within a session: the key without the number. */
  private static @Nullable String group(JobRecord job) {
    String key = job.requestKey().substring(job.requestKey().indexOf(':') + 1);
    int end = key.lastIndexOf('/');
    return job.session().isEmpty() || end < 0 || key.indexOf('/') == end
        ? null
        : key.substring(0, end);
  }

  JobView withWarnings(List<String> all) {
    return with(published, spawned, all);
  }

  JobView withConnections(List<String> versions, @Nullable Spawned below) {
    return with(versions, below, warnings);
  }

  private JobView with(List<String> versions, @Nullable Spawned below, List<String> all) {
    return new JobView(
        id,
        name,
        user,
        project,
        kind,
        status,
        phase,
        tasks,
        counts,
        priority,
        submitted,
        settled,
        command,
        progress,
        expectedEnd,
        spawnedBy,
        below,
        group,
        spec,
        versions,
        all);
  }

  /**
   * Jobs that tasks of a job have spawned, directly or not; the first 5,000 of them.
   *
   * @param jobs the numbers of the first of them
   * @param open how many of their tasks have not come to their end
   */
  public record Spawned(int count, List<Long> jobs, long tasks, long open) {}

  /**
   * A moment, and between which two others the true one is in about 80 of 100 cases; to the second.
   */
  public record Expected(String at, String earliest, String latest) {
    static @Nullable Expected of(@Nullable ExpectedEnd end) {
      return end == null
          ? null
          : new Expected(
              second(end.atMillis()), second(end.earliestMillis()), second(end.latestMillis()));
    }

    private static String second(long millis) {
      return Times.iso(Math.ceilDiv(millis, 1_000) * 1_000);
    }
  }

  JobView withProgress(TaskProgress of, @Nullable ExpectedEnd end) {
    int open = (int) (counts.waiting() + counts.ready() + counts.running() + counts.blocked());
    return new JobView(
        id,
        name,
        user,
        project,
        kind,
        status,
        phase,
        tasks,
        counts,
        priority,
        submitted,
        settled,
        command,
        of.ofJob(new JobId(id), tasks - open, (int) counts.running(), tasks).orElse(null),
        Expected.of(end),
        spawnedBy,
        spawned,
        group,
        spec,
        published,
        warnings);
  }

  public boolean hasSettled() {
    return JobStatus.valueOf(status).isSettled();
  }
}
