package dev.imker.server.internal.notify;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.account.Notice;
import dev.imker.model.change.AttemptReport;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Creates digests from the database. */
record Digests(Reads reads, String pool, Supplier<String> url) {
  private static final int MAX_FAILURES = 20;
  private static final int MAX_REASON_CHARS = 300;

  /** The digest of a notice; empty if its job is gone. */
  Optional<Digest> of(Notice notice) {
    return reads.job(notice.job()).map(job -> digest(job, notice));
  }

  private Digest digest(JobRecord job, Notice notice) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (TaskState state : TaskState.values()) {
      int count = job.countsByState()[state.ordinal()];
      if (count > 0) {
        counts.put(state.name().toLowerCase(Locale.ROOT).replace('_', ' '), count);
      }
    }
    int failed =
        job.countsByState()[TaskState.FAILED.ordinal()]
            + job.countsByState()[TaskState.AUTO_BLOCKED.ordinal()];
    List<Digest.Failure> failures = failed == 0 ? List.of() : failures(job.id());
    return new Digest(
        pool,
        job.id().value(),
        job.name(),
        job.project().user(),
        job.project().name(),
        job.status().name(),
        job.taskCount(),
        counts,
        Instant.ofEpochMilli(job.submittedMillis()).toString(),
        Instant.ofEpochMilli(notice.settledMillis()).toString(),
        failures,
        Math.max(0, failed - failures.size()),
        url.get() + "/");
  }

  private List<Digest.Failure> failures(JobId job) {
    Set<TaskState> states = Set.of(TaskState.FAILED, TaskState.AUTO_BLOCKED);
    return reads.tasks(new TaskQuery(job, states, 0, MAX_FAILURES, false)).stream()
        .map(task -> new Digest.Failure(task.id().toString(), task.state().name(), reason(task)))
        .toList();
  }

  private static String reason(TaskRecord task) {
    AttemptRecord last = task.last();
    AttemptReport report = last == null ? null : last.report();
    if (report == null) {
      return "never started";
    }
    String text = report.error().isEmpty() ? "exit code " + report.exitCode() : report.error();
    return text.substring(0, Math.min(MAX_REASON_CHARS, text.length()));
  }
}
