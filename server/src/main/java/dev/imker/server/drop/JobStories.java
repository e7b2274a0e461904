package dev.imker.server.drop;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobSpec;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.StoreException;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the state of jobs, and why they failed, for the person who wants their results. */
record JobStories(SchedulerLoop loop, Reads reads, BlobStore blobs) {
  private static final int MAX_TASKS = 5;
  private static final int MAX_LINES = 15;
  private static final int MAX_COUNTED = 10_000;
  private static final String STEPS = "steps";
  private static final int MAX_TAIL_BYTES = 8192;

  DropWork.Story of(List<JobId> jobs) {
    boolean settled = true;
    List<String> causes = new ArrayList<>();
    for (JobId id : jobs) {
      Optional<JobRecord> job = reads.job(id);
      if (job.isEmpty()) {
        causes.add("Job " + id + " was removed together with its results.");
      } else if (!job.get().isSettled()) {
        settled = false;
      } else if (job.get().status() != JobStatus.DONE) {
        causes.add(cause(job.get()));
      }
    }
    return new DropWork.Story(settled, settled ? String.join("\n\n", causes) : "");
  }

  /** A line for each of the jobs that are not over. */
  String progress(List<JobId> jobs) {
    return jobs.stream()
        .flatMap(id -> reads.job(id).stream())
        .filter(job -> !job.isSettled())
        .map(this::progress)
        .collect(Collectors.joining("\n"));
  }

  private String progress(JobRecord job) {
    int[] counts = liveCounts(job);
    int total = job.taskCount();
    return "Job %s (%s): %,d of %,d tasks done, %,d running.%s"
        .formatted(
            job.id(),
            job.name(),
            counts[TaskState.DONE.ordinal()],
            total,
            counts[TaskState.RUNNING.ordinal()],
            steps(job));
  }

  /** Tasks that say how many steps they are of tell more than their number does. */
  private String steps(JobRecord job) {
    Optional<JobSpec> spec = reads.spec(job.id());
    if (spec.isEmpty() || job.taskCount() > MAX_COUNTED) {
      return "";
    }
    long total = 0;
    for (int index = 0; index < job.taskCount(); index++) {
      total += steps(spec.get(), index);
    }
    long done = 0;
    Set<TaskState> over = Set.of(TaskState.DONE);
    for (TaskRecord task : reads.tasks(new TaskQuery(job.id(), over, 0, MAX_COUNTED, false))) {
      done += steps(spec.get(), task.id().index());
    }
    return total == 0 ? "" : " %,d of %,d steps.".formatted(done, total);
  }

  private static long steps(JobSpec spec, int index) {
    int place = spec.stageOf(index).paramNames().indexOf(STEPS);
    String value = place < 0 ? "" : spec.params(index).get(place);
    return value.matches("[0-9]{1,18}") ? Long.parseLong(value) : 0;
  }

  private int[] liveCounts(JobRecord job) {
    try {
      int[] live = loop.ask(pool -> pool.counts(job.id())).get();
      return live == null ? job.countsByState() : live;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return job.countsByState();
    } catch (ExecutionException e) {
      return job.countsByState();
    }
  }

  // ---------------------------------------------------------------- why

  private String cause(JobRecord job) {
    String title = "Job %s (%s)".formatted(job.id(), job.name());
    if (job.status() == JobStatus.CANCELLED) {
      return title + " was cancelled. Put the file into the inbox again to run it again.";
    }
    int failed =
        job.countsByState()[TaskState.FAILED.ordinal()]
            + job.countsByState()[TaskState.AUTO_BLOCKED.ordinal()];
    StringBuilder text =
        new StringBuilder(
            job.taskCount() == 1
                ? title + " failed."
                : "%s: %,d of %,d tasks failed.".formatted(title, failed, job.taskCount()));
    Set<TaskState> bad = Set.of(TaskState.FAILED, TaskState.AUTO_BLOCKED);
    for (TaskRecord task : reads.tasks(new TaskQuery(job.id(), bad, 0, MAX_TASKS, true))) {
      text.append("\n\n").append(cause(task));
    }
    if (failed > MAX_TASKS) {
      text.append(
          "\n\n… and %,d more; 'imker show %s' lists them.".formatted(failed - 5, job.id()));
    }
    return text.toString();
  }

  private String cause(TaskRecord task) {
    StringBuilder text = new StringBuilder("Task ").append(task.id()).append(": ");
    @Nullable AttemptReport report = task.last() == null ? null : task.last().report();
    if (report == null) {
      return text.append(task.reason().isEmpty() ? "it never ran." : task.reason()).toString();
    }
    text.append(
        report.error().isEmpty()
            ? "it ended with exit code " + report.exitCode() + "."
            : report.error());
    String tail = tail(report.stderr());
    if (!tail.isEmpty()) {
      text.append("\nThe end of its output:\n").append(tail.indent(2).stripTrailing());
    }
    return text.toString();
  }

  private String tail(CapturedOutput output) {
    try {
      byte[] bytes = output.inline();
      if (output.blob() != null) {
        long from = Math.max(0, output.size() - MAX_TAIL_BYTES);
        try (InputStream in = blobs.open(output.blob(), from)) {
          bytes = in.readAllBytes();
        }
      }
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).strip().lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - MAX_LINES), lines.size()));
    } catch (IOException | StoreException e) {
      return "";
    }
  }
}
