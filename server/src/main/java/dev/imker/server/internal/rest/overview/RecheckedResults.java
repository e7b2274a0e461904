package dev.imker.server.internal.rest.overview;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Doubt;
import dev.imker.server.commands.Rechecks;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.TaskRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tells the users of jobs that results of a node that was caught lying were made again. */
final class RecheckedResults {
  private static final Duration TOLD_FOR = Duration.ofDays(7);
  private static final int MAX_NAMED = 5;

  private final PoolStore store;

  /** Whether a result was confirmed: comparing costs a query, and what is done stays so. */
  private final Map<TaskId, Boolean> confirmed = new HashMap<>();

  RecheckedResults(PoolStore store) {
    this.store = store;
  }

  /** One at a time. */
  List<Attention> find(long nowMillis) {
    List<Attention> found = new ArrayList<>();
    for (Rechecks.Suspect suspect : Rechecks.suspects(store)) {
      suspect.tasks().stream()
          .collect(Collectors.groupingBy(TaskId::job))
          .forEach(
              (job, tasks) -> {
                Optional<JobRecord> record = store.reads().job(job);
                if (record.isPresent() && isRecent(record.get(), nowMillis)) {
                  found.add(attention(suspect, record.get(), tasks));
                }
              });
    }
    return found;
  }

  private static boolean isRecent(JobRecord job, long nowMillis) {
    return !job.isSettled() || nowMillis - job.settledMillis() < TOLD_FOR.toMillis();
  }

  private Attention attention(Rechecks.Suspect suspect, JobRecord job, List<TaskId> tasks) {
    Reads reads = store.reads();
    List<TaskRecord> records =
        reads.tasks(job.id(), tasks.stream().map(TaskId::index).toList(), true);
    List<TaskRecord> repeated =
        records.stream().filter(task -> task.reason().startsWith(Doubt.REASON)).toList();
    List<TaskRecord> done =
        repeated.stream().filter(task -> task.state() == TaskState.DONE).toList();
    List<TaskId> different =
        done.stream().filter(task -> !isConfirmed(task)).map(TaskRecord::id).toList();
    int left = tasks.size() - repeated.size();
    return new Attention(
        "RECHECKED",
        job.project().user(),
        job.id().value(),
        suspect.node().value(),
        "%d of %d results of %s re-checked"
            .formatted(done.size(), tasks.size(), label(job.id(), job.name())),
        "Node %s, which produced them, returned a wrong result elsewhere.%s%s"
            .formatted(
                suspect.node(),
                different.isEmpty() ? "" : " " + differing(different),
                left == 0
                    ? ""
                    : " %d cannot be re-run: no other node can run them, or they must not run twice."
                        .formatted(left)));
  }

  private static String label(JobId job, String name) {
    return name.isEmpty() ? "job " + job : "job " + job + " (" + name + ")";
  }

  private static String differing(List<TaskId> tasks) {
    String named =
        tasks.stream().limit(MAX_NAMED).map(TaskId::toString).collect(Collectors.joining(", "));
    return "Other nodes produced different results, which replace the first, for %s%s; tasks that used the first results are not re-run automatically."
        .formatted(named, tasks.size() > MAX_NAMED ? " and others" : "");
  }

  private boolean isConfirmed(TaskRecord task) {
    AttemptReport report = task.last() == null ? null : task.last().report();
    return report != null
        && confirmed.computeIfAbsent(
            task.id(), id -> Rechecks.isConfirmed(report, store.reads().attempts(id)));
  }
}
