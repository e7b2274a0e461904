package dev.imker.store.internal.live;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobSpec;
import dev.imker.store.JobRecord;
import dev.imker.store.RecoverySink;
import dev.imker.store.internal.rows.JsonColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The data of a job as text, for each of its tasks and for the rest. */
final class ToldWords implements RecoverySink {
  /** The job as a whole comes before its tasks. */
  private static final int WHOLE = -1;

  private static final int LONGEST = 200;

  private final Map<Integer, String> words = new TreeMap<>();

  /** The differences between two in the data of a job. */
  static List<String> differences(JobId job, ToldWords known, ToldWords found) {
    List<String> differences = new ArrayList<>();
    Map<Integer, String> all = new TreeMap<>(known.words);
    all.putAll(found.words);
    for (int index : all.keySet()) {
      String one = known.words.getOrDefault(index, "nothing");
      String other = found.words.getOrDefault(index, "nothing");
      if (!one.equals(other)) {
        differences.add(
            "%s: known is %s; the database has %s"
                .formatted(
                    index == WHOLE ? "job " + job : "task " + new TaskId(job, index),
                    cut(one),
                    cut(other)));
      }
    }
    return differences;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }

  private void add(int index, String text) {
    words.merge(index, text, (former, more) -> former + ", " + more);
  }

  void limits(String limits) {
    add(WHOLE, "limits " + limits);
  }

  @Override
  public void job(JobRecord job, JobSpec spec) {
    add(
        WHOLE,
        "%s, priority %d, %d tasks, by state %s, settled at %d, key '%s', session '%s', phase '%s', %s"
            .formatted(
                job.name(),
                job.priority(),
                job.taskCount(),
                Arrays.toString(job.countsByState()),
                job.settledMillis(),
                job.requestKey(),
                job.session(),
                job.phase(),
                JsonColumns.spec(spec)));
  }

  @Override
  public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
    add(
        task.index(),
        "%s, failed %d and lost %d times, attempt %d".formatted(state, failures, losses, attempts));
  }

  @Override
  public void done(TaskId task, long atMillis) {
    add(task.index(), "done at " + atMillis);
  }

  @Override
  public void vote(TaskId task, NodeId node, AttemptReport report) {
    add(task.index(), "a vote of %s at %d".formatted(node, report.endedMillis()));
  }

  @Override
  public void doubt(TaskId task, NodeId node) {
    add(task.index(), "doubt of " + node);
  }

  @Override
  public void lease(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted) {
    add(
        lease.task().index(),
        "lease %d of %s on %s since %d with %s"
            .formatted(lease.token().value(), agent, node, startedMillis, granted.text()));
  }
}
