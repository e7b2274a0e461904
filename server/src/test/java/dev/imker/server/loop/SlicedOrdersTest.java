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
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
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
  private static final PoolListener NOBODY =
      new PoolListener() {
        @Override
        public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

        @Override
        public void nodesChanged() {}
      };

  private final RecordingLines agents = new RecordingLines();
  private final SchedulerLoop loop =
      new SchedulerLoop(
          new SimStore(new SimDisk(1), true, SimStore.Faults.NONE),
          SchedulerSettings.defaults().withPrefetch(0, 0),
          agents,
          NOBODY,
          new LoopMeter(new SimpleMeterRegistry()),
          Clock.systemUTC(),
          true,
          LoopShell.ofMachine());
  private final JobCommands jobs = new JobCommands(loop);

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
    loop.tell(
        (pool, nowMillis, out) ->
            pool.scheduler()
                .onFinished(
                    nowMillis,
                    AGENT,
                    first,
                    AttemptReport.withoutRun(AttemptOutcome.FAILED, nowMillis, ""),
                    out));
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
}
