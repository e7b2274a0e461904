package dev.imker.store.internal.live;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobSpec;
import dev.imker.store.JobRecord;
import dev.imker.store.RecoverySink;
import dev.imker.store.internal.rows.JsonColumns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A checksum of the data of each job, node and project. */
public final class Told implements RecoverySink {
  private static final long FACTOR = 0x100000001B3L;

  /** Of what is told; a job, or something else by its name. */
  public record Subject(String name, @Nullable JobId job) implements Comparable<Subject> {
    private static final Comparator<Subject> ORDER =
        Comparator.comparingLong((Subject subject) -> subject.job == null ? 0 : subject.job.value())
            .thenComparing(Subject::name);

    @Override
    public int compareTo(Subject other) {
      return ORDER.compare(this, other);
    }
  }

  private final Map<Subject, Long> sums = new TreeMap<>();

  /** The subjects that differ between the two. */
  public List<Subject> differences(Told other) {
    List<Subject> found = new ArrayList<>();
    sums.forEach(
        (subject, sum) -> {
          if (!sum.equals(other.sums.get(subject))) {
            found.add(subject);
          }
        });
    other.sums.keySet().stream().filter(subject -> !sums.containsKey(subject)).forEach(found::add);
    return found;
  }

  private void add(String subject, Object... words) {
    add(new Subject(subject, null), words);
  }

  private void add(Subject subject, Object... words) {
    long sum = sums.getOrDefault(subject, 0L);
    for (Object word : words) {
      sum = FACTOR * (sum + 1);
      if (word instanceof Number number) {
        sum = FACTOR * (sum ^ number.longValue());
      } else {
        String text = word.toString();
        for (int i = 0; i < text.length(); i++) {
          sum = FACTOR * (sum ^ text.charAt(i));
        }
      }
      sum ^= sum >>> 29;
    }
    sums.put(subject, sum);
  }

  private void add(JobId job, Object... words) {
    add(new Subject("job " + job, job), words);
  }

  void limits(JobId job, String limits) {
    add(job, "limits", limits);
  }

  @Override
  public void nodeProfile(NodeId node, String profileJson) {
    add("profile of node " + node, profileJson);
  }

  @Override
  public void projectProfile(ProjectId project, String profileJson) {
    add("profile of project " + project, profileJson);
  }

  @Override
  public void strategyMemory(String strategy, String subject, String memoryJson) {
    add("memory of strategy " + strategy + " of " + subject, memoryJson);
  }

  @Override
  public void job(JobRecord job, JobSpec spec) {
    add(
        job.id(),
        job.project(),
        job.name(),
        job.kind(),
        job.command(),
        job.taskCount(),
        job.priority(),
        Arrays.toString(job.countsByState()),
        job.submittedMillis(),
        job.settledMillis(),
        job.requestKey(),
        job.session(),
        job.phase(),
        JsonColumns.spec(spec));
  }

  @Override
  public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
    add(task.job(), task.index(), state.ordinal(), failures, losses, attempts);
  }

  @Override
  public void done(TaskId task, long atMillis) {
    add(task.job(), "done", task.index(), atMillis);
  }

  @Override
  public void vote(TaskId task, NodeId node, AttemptReport report) {
    add(
        task.job(),
        "vote",
        task.index(),
        node,
        report.outcome(),
        report.exitCode(),
        report.startedMillis(),
        report.endedMillis(),
        report.cpuMillis(),
        report.peakMemoryBytes(),
        report.stdout().sha256(),
        report.stderr().sha256(),
        report.results(),
        report.error(),
        report.pausedMillis(),
        report.outOfMemory(),
        Arrays.toString(report.attestation()));
  }

  @Override
  public void doubt(TaskId task, NodeId node) {
    add(task.job(), "doubt", task.index(), node);
  }

  @Override
  public void lease(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted) {
    add(
        lease.task().job(),
        "lease",
        lease.task().index(),
        lease.token().value(),
        lease.token().incarnation(),
        agent,
        node,
        attempt,
        startedMillis,
        granted.text());
  }
}
