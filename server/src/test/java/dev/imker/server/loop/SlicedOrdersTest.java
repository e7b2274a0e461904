package dev.imker.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.Change;
import dev.imker.model.change.RemovedTasksDeleted;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TaskImported;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.After;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What happens between the steps of an order that takes several turns; the loop is driven here. */
class SlicedOrdersTest {
  private static final AgentId AGENT = new AgentId("a");
  private static final int TASKS = 7_000;

  /** Rows that are deleted cost less than those that are written. */
  private static final int MAX_TOUCHED = 4_000;

  private static final PoolListener NOBODY =
      new PoolListener() {
        @Override
        public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

        @Override
        public void nodesChanged() {}
      };

  private final RecordingLines agents = new RecordingLines();
  private final SimDisk disk = new SimDisk(1);

  /** How many tasks each transaction wrote of. */
  private final List<Integer> touched = new ArrayList<>();

  private SchedulerLoop loop = start();
  private JobCommands jobs = new JobCommands(loop);

  private SchedulerLoop start() {
    disk.watch(changes -> touched.add(changes.stream().mapToInt(SlicedOrdersTest::tasks).sum()));
    return new SchedulerLoop(
        new SimStore(disk, true, SimStore.Faults.NONE),
        SchedulerSettings.defaults().withPrefetch(0, 0),
        agents,
        NOBODY,
        new LoopMeter(new SimpleMeterRegistry()),
        Clock.systemUTC(),
        true,
        LoopShell.ofMachine());
  }

  private static int tasks(Change change) {
    return switch (change) {
      case TasksChanged run -> run.toIndexExclusive() - run.fromIndex();
      case RemovedTasksDeleted gone -> gone.toIndexExclusive() - gone.fromIndex();
      case TaskChanged _, TaskImported _, AttemptStarted _, AttemptEnded _ -> 1;
      default -> 0;
    };
  }

  /** The server is gone without a word; another one begins on its disk. */
  private void crash() {
    disk.dropUnwritten();
    loop = start();
    jobs = new JobCommands(loop);
  }

  private int count(JobId job, Set<TaskState> states) {
    return drive(new BulkCommands(loop).count(job, states));
  }

  private JobId submit(OnFailure onFailure) {
    Stage stage =
        Stage.of(List.of("true"), List.of(SweepAxis.range("n", 1, TASKS, 1, 0)))
            .withRules(TaskRules.USUAL.withLimits(1, 0));
    JobSpec plain = JobSpec.of("job", "default", JobKind.COMMAND, stage);
    JobSpec spec =
        new JobSpec(
            plain.version(),
            plain.name(),
            plain.project(),
            plain.kind(),
            plain.priority(),
            plain.stages(),
            onFailure,
            Notices.NOBODY);
    return drive(jobs.submit("admin", spec, "")).job();
  }

  private <T> T drive(CompletableFuture<T> answer) {
    while (!answer.isDone()) {
      loop.step();
    }
    return answer.join();
  }

  private void connect() {
    Platform platform =
        new Platform("linux", "", "x86_64", "host", 2, 0, 1, 1, 1, Map.of(), Set.of());
    AgentHello hello =
        new AgentHello(AGENT, new NodeId("n"), "a", "test", platform, 1, 1, List.of());
    loop.tell((pool, nowMillis, out) -> pool.scheduler().onHello(nowMillis, hello, out));
  }

  private String phase(JobId job) {
    return drive(loop.ask(pool -> pool.scheduler().view().phase(job).toString()));
  }

  private void ends(Lease lease, AttemptOutcome outcome) {
    loop.tell(
        (pool, nowMillis, out) ->
            pool.scheduler()
                .onFinished(
                    nowMillis,
                    AGENT,
                    lease,
                    AttemptReport.withoutRun(outcome, nowMillis, ""),
                    out));
  }

  private int count(JobId job, TaskState state) {
    return Objects.requireNonNull(drive(loop.ask(pool -> pool.counts(job))))[state.ordinal()];
  }

  @Test
  void a_cancel_in_slices_has_the_last_word_when_a_failure_restarts_the_job() {
    JobId job = submit(new OnFailure(OnFailure.Way.RESTART, 5));
    connect();
    loop.step();
    Lease first = agents.assigned.getFirst();
    CompletableFuture<Integer> cancel =
        jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE);
    loop.step(); // looks what there is to cancel
    loop.step(); // cancels some
    assertThat(cancel).isNotDone();
    ends(first, AttemptOutcome.FAILED);
    drive(cancel);
    int[] counts = Objects.requireNonNull(drive(loop.ask(pool -> pool.counts(job))));
    assertThat(counts[TaskState.CANCELLED.ordinal()]).as(Arrays.toString(counts)).isEqualTo(TASKS);
  }

  @Test
  void an_order_for_some_states_leaves_tasks_alone_that_have_left_them_meanwhile() {
    JobId job = submit(OnFailure.CARRY_ON);
    CompletableFuture<Integer> cancel =
        new BulkCommands(loop).act(JobCommands.Action.CANCEL, job, Set.of(TaskState.READY));
    loop.step(); // looks what is READY
    connect();
    int cancelled = drive(cancel);
    TaskId running = agents.assigned.getFirst().task();
    TaskState state = drive(loop.ask(pool -> pool.scheduler().view().state(running)));
    assertThat(state).isEqualTo(TaskState.RUNNING);
    assertThat(cancelled).isEqualTo(TASKS - 1);
    assertThat(count(job, TaskState.CANCELLED)).isEqualTo(TASKS - 1);
  }

  @Test
  void an_order_that_a_crash_cut_off_is_brought_to_its_end() {
    JobId job = submit(OnFailure.CARRY_ON);
    CompletableFuture<Integer> cancel =
        jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE);
    loop.step(); // looks what there is to cancel
    loop.step(); // cancels some
    assertThat(cancel).isNotDone();
    crash();
    assertThat(count(job, TaskState.CANCELLED)).isBetween(1, TASKS - 1);
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    assertThat(count(job, Set.of(TaskState.CANCELLED))).isEqualTo(TASKS);
    crash();
    drive(jobs.act(JobCommands.Action.RELEASE, job, 0, 5));
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    assertThat(count(job, TaskState.READY)).as("the order is over").isEqualTo(5);
  }

  @Test
  void an_order_for_some_states_goes_on_after_a_crash_with_those() {
    JobId job = submit(OnFailure.CARRY_ON);
    drive(jobs.act(JobCommands.Action.BLOCK, job, 0, 10));
    var _ = new BulkCommands(loop).act(JobCommands.Action.CANCEL, job, Set.of(TaskState.READY));
    loop.step();
    loop.step();
    crash();
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    assertThat(count(job, TaskState.BLOCKED)).isEqualTo(10);
    assertThat(count(job, TaskState.CANCELLED)).isEqualTo(TASKS - 10);
  }

  /** Whatever is asked, a turn writes of some thousand tasks at most. */
  @Test
  void no_order_writes_of_all_tasks_in_one_turn() {
    JobId job = submit(OnFailure.CARRY_ON);
    JobId other = submit(OnFailure.CARRY_ON);
    drive(jobs.act(JobCommands.Action.BLOCK, job, 0, Integer.MAX_VALUE));
    drive(jobs.act(JobCommands.Action.RELEASE, job, 0, Integer.MAX_VALUE));
    drive(jobs.prioritise(job, 9));
    drive(jobs.limit(job, rules -> rules.withLimits(3, 1_000)));
    drive(jobs.limitTasks(job, new TaskLimits(0, TASKS, 3, null, null, null)));
    drive(jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE));
    drive(new BulkCommands(loop).act(JobCommands.Action.RELEASE, job, Set.of(TaskState.CANCELLED)));
    drive(new BulkCommands(loop).act(JobCommands.Action.CANCEL, job, Set.of(TaskState.READY)));
    drive(jobs.act(JobCommands.Action.CANCEL, other, 0, Integer.MAX_VALUE));
    assertThat(drive(jobs.remove(job)).isDone()).isTrue();
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    assertThat(touched.stream().mapToInt(n -> n).sum()).isGreaterThanOrEqualTo(7 * TASKS);
    assertThat(touched).allMatch(tasks -> tasks <= MAX_TOUCHED);
  }

  /** A job of one task and many that wait for it, of which the first one has come to its end. */
  private JobId firstEnds(AttemptOutcome outcome) {
    Stage first =
        Stage.of(List.of("true"), List.of())
            .withName("first")
            .withRules(TaskRules.USUAL.withLimits(1, 0));
    Stage rest =
        Stage.of(List.of("true"), List.of(SweepAxis.range("n", 1, TASKS, 1, 0)))
            .withName("rest")
            .withAfter(List.of(After.stage("first", After.Matching.ALL)));
    JobSpec spec = JobSpec.of("job", "default", JobKind.COMMAND, List.of(first, rest));
    JobId job = drive(jobs.submit("admin", spec, "")).job();
    connect();
    loop.step();
    ends(agents.assigned.getFirst(), outcome);
    loop.step();
    return job;
  }

  @Test
  void a_task_with_thousands_of_successors_is_one_row_when_it_succeeds() {
    JobId job = firstEnds(AttemptOutcome.SUCCEEDED);
    assertThat(count(job, TaskState.READY)).isGreaterThan(TASKS - 10);
    assertThat(touched).allMatch(tasks -> tasks <= 10);
  }

  @Test
  void thousands_of_successors_are_lost_in_several_turns_also_if_a_crash_comes_between() {
    JobId job = firstEnds(AttemptOutcome.FAILED);
    assertThat(count(job, TaskState.FAILED)).isBetween(1, TASKS);
    crash();
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    loop.tell((pool, nowMillis, out) -> pool.scheduler().onTick(nowMillis, out));
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    int failed = count(job, Set.of(TaskState.FAILED, TaskState.AUTO_BLOCKED));
    assertThat(failed).isEqualTo(TASKS + 1);
    assertThat(touched).allMatch(tasks -> tasks <= MAX_TOUCHED);
  }

  /** A large job of which the first task fails, so that the whole job goes another way. */
  private JobId failing(OnFailure.Way way) {
    JobId job = submit(new OnFailure(way, 1));
    if (way == OnFailure.Way.RESTART) { // so that it has tasks which change
      drive(jobs.act(JobCommands.Action.CANCEL, job, 1, TASKS));
    }
    connect();
    loop.step();
    ends(agents.assigned.getFirst(), AttemptOutcome.FAILED);
    loop.step();
    return job;
  }

  @Test
  void a_large_job_is_aborted_in_several_turns_also_if_a_crash_comes_between() {
    JobId job = failing(OnFailure.Way.ABORT);
    int handedOut = agents.assigned.size();
    assertThat(count(job, TaskState.CANCELLED)).isBetween(1, TASKS - 2);
    crash();
    connect();
    assertThat(count(job, Set.of(TaskState.CANCELLED))).isBetween(1, TASKS - 2);
    for (int i = 0; i < 10; i++) {
      loop.step();
    }
    assertThat(count(job, Set.of(TaskState.CANCELLED))).isEqualTo(TASKS - 1);
    assertThat(phase(job)).isEqualTo("ABORTED");
    assertThat(agents.assigned).as("nothing more is handed out").hasSize(handedOut);
    assertThat(touched).allMatch(tasks -> tasks <= MAX_TOUCHED);
  }

  @Test
  void a_large_job_begins_again_in_several_turns_also_if_a_crash_comes_between() {
    JobId job = failing(OnFailure.Way.RESTART);
    assertThat(count(job, TaskState.CANCELLED)).isBetween(1, TASKS - 2);
    crash();
    agents.assigned.clear();
    connect();
    for (int i = 0; agents.assigned.isEmpty() && i < 20; i++) {
      loop.step();
    }
    assertThat(count(job, TaskState.READY)).as("all but the one that runs").isEqualTo(TASKS - 1);
    assertThat(phase(job)).isEqualTo("RESTARTED 1");
    assertThat(touched).allMatch(tasks -> tasks <= MAX_TOUCHED);
  }

  @Test
  void a_cancel_waits_until_a_large_job_has_begun_again_and_has_the_last_word() {
    JobId job = failing(OnFailure.Way.RESTART);
    drive(jobs.act(JobCommands.Action.CANCEL, job, 0, TASKS));
    assertThat(count(job, TaskState.CANCELLED)).isEqualTo(TASKS);
  }
}
