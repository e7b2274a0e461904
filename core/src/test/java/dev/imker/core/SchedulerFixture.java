package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.catalogue.Balanced;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.ProjectId;
import dev.imker.model.Selector;
import dev.imker.model.TaskId;
import dev.imker.model.TaskLifeCycle.Transition;
import dev.imker.model.TaskRange;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskRules;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

/**
 * A scheduler with a recording outbox and a settable time; checks the invariants after each test.
 */
public abstract class SchedulerFixture {
  static final long LEASE_MILLIS = 30_000;

  public final RecordingOutbox out = new RecordingOutbox();
  final Set<Transition> visited = new HashSet<>();
  public long now = 1_000_000;
  public Scheduler scheduler = scheduler(SchedulerSettings.defaults(), new Balanced());

  @AfterEach
  void nothing_is_left_and_all_invariants_hold() {
    scheduler.checkInvariants();
    out.assertNothingLeft();
  }

  public final Scheduler scheduler(SchedulerSettings settings, Strategy strategy) {
    Scheduler created = new Scheduler(settings, strategy, 1, 42);
    created.listenToSteps((from, event, to) -> visited.add(new Transition(from, event, to)));
    return created;
  }

  public static JobHeader header(long id, int tasks) {
    return header(id, "project", tasks);
  }

  public static JobHeader header(long id, String project, int tasks) {
    ProjectId projectId = new ProjectId("ada", project);
    return new JobHeader(new JobId(id), projectId, tasks, Requirements.ANY, 4, 3, 60_000, false);
  }

  static JobHeader speculative(JobHeader job) {
    StageHeader only = job.stages().getFirst();
    return of(job, List.of(ruled(only, only.rules().withSpeculative(true))));
  }

  public static JobHeader needing(JobHeader job, Requirements needs) {
    StageHeader only = job.stages().getFirst();
    return of(job, List.of(new StageHeader(only.taskCount(), needs, only.rules(), only.after())));
  }

  static StageHeader ruled(StageHeader stage, TaskRules rules) {
    return new StageHeader(stage.taskCount(), stage.needs(), rules, stage.after());
  }

  /** A job of several stages. */
  public static JobHeader of(JobHeader job, List<StageHeader> stages) {
    return new JobHeader(job.id(), job.project(), job.priority(), stages, job.onFailure());
  }

  static JobHeader staged(long id, StageHeader... stages) {
    return of(header(id, 1), List.of(stages));
  }

  static StageHeader stage(int tasks, Dependency... after) {
    TaskRules rules = header(1, 1).stages().getFirst().rules();
    return new StageHeader(tasks, Requirements.ANY, rules, List.of(after));
  }

  /** A dependency on all tasks of another job. */
  static Dependency onJob(long id) {
    return new Dependency.Tasks(List.of(new TaskRange(job(id), 0, Selector.ALL_TASKS)));
  }

  static Platform platform(String... labels) {
    return new Platform(
        "linux", "6", "amd64", "host", 16, 0, 8L << 30, 100L << 30, 4000, Map.of(), Set.of(labels));
  }

  public static AgentHello agent(String name, int slots, long incarnation, List<Lease> held) {
    return new AgentHello(
        new AgentId(name),
        new NodeId("node-" + name),
        name,
        "1.0",
        platform(),
        slots,
        incarnation,
        held);
  }

  public final void submit(JobHeader job) {
    scheduler.onSubmit(now, job, out);
  }

  public final void connect(String name, int slots) {
    scheduler.onHello(now, agent(name, slots, 1, List.of()), out);
  }

  public final void dispatch() {
    scheduler.dispatch(now, out);
  }

  /** Hands out work and returns the lease that the agent got. */
  public final Lease leaseFor(String agent) {
    dispatch();
    return out.takeAssignedTo(agent).lease();
  }

  final void finish(String agent, Lease lease, AttemptOutcome outcome) {
    finish(agent, lease, outcome, 10_000);
  }

  public final void finish(String agent, Lease lease, AttemptOutcome outcome, long runMillis) {
    scheduler.onFinished(now, new AgentId(agent), lease, report(outcome, runMillis), out);
  }

  /** Finishes and expects the report to be accepted. */
  public final void finishes(String agent, Lease lease, AttemptOutcome outcome) {
    finish(agent, lease, outcome);
    out.assertConfirmed(lease, true);
  }

  final AttemptReport report(AttemptOutcome outcome, long runMillis) {
    return new AttemptReport(
        outcome,
        outcome == AttemptOutcome.SUCCEEDED ? 0 : 1,
        now - runMillis,
        now,
        runMillis,
        1 << 20,
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        "");
  }

  /** Time passes, with signs of life of no one. */
  final void pass(long millis) {
    now += millis;
    scheduler.onTick(now, out);
  }

  final void assertState(TaskState state, long job, int index) {
    assertThat(scheduler.view().state(TaskId.of(job, index))).isEqualTo(state);
  }

  final int count(long job, TaskState state) {
    int[] counts = scheduler.view().counts(new JobId(job));
    return counts == null ? 0 : counts[state.ordinal()];
  }

  static AgentId id(String agent) {
    return new AgentId(agent);
  }

  public static JobId job(long id) {
    return new JobId(id);
  }
}
