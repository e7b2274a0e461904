package dev.imker.store;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Changes to write in tests. */
public final class Samples {
  static final AgentId AGENT = new AgentId("agent-a");
  public static final NodeId NODE = new NodeId("node-a");
  static final AgentId OTHER_AGENT = new AgentId("agent-b");
  static final NodeId OTHER_NODE = new NodeId("node-b");
  static final BlobId BLOB = new BlobId("0123456789abcdef".repeat(4));

  private Samples() {}

  public static JobSpec spec(String name, int tasks) {
    return JobSpec.of(
        name,
        "default",
        JobKind.COMMAND,
        Stage.of(List.of("echo ${n}"), List.of(SweepAxis.range("n", 1, tasks, 1, 0))));
  }

  /** A specification in which nothing is as usual. */
  public static JobSpec richSpec() {
    return new JobSpec(
        JobSpec.CURRENT_VERSION,
        "größer \"rich\" \n job",
        "wetter",
        JobKind.NOOP,
        7,
        List.of(richStage(), richStage().withName("second")),
        new OnFailure(OnFailure.Way.RESTART, 3),
        new Notices(List.of("a@example.org"), List.of("https://example.org/hook")));
  }

  private static Stage richStage() {
    return new Stage(
        "first",
        List.of("prog", "--x=${x}", ""),
        "{}",
        List.of(
            SweepAxis.of("x", List.of("a", "b c", "")).zippedAs("row"),
            SweepAxis.of("z", List.of("1", "2", "3")).zippedAs("row"),
            SweepAxis.range("y", 10, -10, 5, 3)),
        Map.of("LANG", "de_DE", "EMPTY", ""),
        List.of(new InputFile("in/data.txt", BLOB, 12, true, "linux")),
        List.of(new DataInput(After.stage("first", After.Matching.EACH), "*.csv", "in")),
        List.of("out/**", "*.csv"),
        new Requirements(
            List.of(
                new Requirements.Need(
                    Set.of("linux"),
                    Set.of("x86_64"),
                    4,
                    1,
                    1L << 33,
                    1L << 40,
                    Set.of("fast"),
                    Map.of("python", ">=3.11")))),
        new TaskRules(
            2,
            60_000,
            500,
            true,
            3,
            "node-a",
            2,
            true,
            List.of("*.chk"),
            1000,
            "in",
            "w",
            true,
            0,
            7),
        List.of(After.tasks("3.1..4")));
  }

  public static JobAdded job(long id, String name, int tasks) {
    return new JobAdded(new JobId(id), "admin", spec(name, tasks), tasks, 1000 + id, "");
  }

  public static AttemptStarted started(TaskId task, long token) {
    return started(task, token, 1);
  }

  static AttemptStarted started(TaskId task, long token, int attempt) {
    return new AttemptStarted(task, new LeaseToken(token), AGENT, NODE, attempt, 2000 + token);
  }

  static AttemptStarted copy(TaskId task, long token, int attempt) {
    return new AttemptStarted(
        task, new LeaseToken(token), OTHER_AGENT, OTHER_NODE, attempt, 2000 + token);
  }

  public static AttemptEnded done(TaskId task, long token) {
    return ended(task, token, AttemptOutcome.SUCCEEDED, TaskState.DONE, 0, 0);
  }

  static AttemptEnded ended(
      TaskId task, long token, AttemptOutcome outcome, TaskState state, int failures, int losses) {
    AttemptReport report = AttemptReport.withoutRun(outcome, 3000 + token, "");
    return new AttemptEnded(
        task, new LeaseToken(token), report, state, failures, losses, 3000 + token);
  }

  public static AttemptEnded doneWith(TaskId task, long token, AttemptReport report) {
    return new AttemptEnded(
        task, new LeaseToken(token), report, TaskState.DONE, 0, 0, 3000 + token);
  }

  public static AttemptReport richReport() {
    return new AttemptReport(
        AttemptOutcome.SUCCEEDED,
        -9,
        5000,
        6000,
        12_345_678,
        1L << 40,
        inline("hello\n"),
        new CapturedOutput(1L << 34, "head".getBytes(StandardCharsets.UTF_8), BLOB),
        List.of(
            new ResultFile("out.txt", BLOB, 3, false),
            new ResultFile("bin/ä prog", BLOB, 1L << 33, true)),
        "något gick fel");
  }

  static CapturedOutput inline(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new CapturedOutput(bytes.length, bytes, null);
  }

  static JobChanged settled(long job, Map<TaskState, Integer> counts) {
    return new JobChanged(new JobId(job), counts(counts), 9000 + job, 4);
  }

  static int[] counts(Map<TaskState, Integer> counts) {
    int[] byState = new int[TaskState.values().length];
    counts.forEach((state, count) -> byState[state.ordinal()] = count);
    return byState;
  }

  static NodeSeen seen(NodeId node, AgentId agent, boolean connected, long atMillis) {
    return new NodeSeen(
        node, agent, "name of " + agent, "0.1.0", platform(), 8, connected, atMillis);
  }

  public static Platform platform() {
    return new Platform(
        "linux",
        "6.1",
        "x86_64",
        "host",
        8,
        0,
        1L << 34,
        1L << 40,
        12.5,
        Map.of("java", "25"),
        Set.of("lab", "fast"));
  }
}
