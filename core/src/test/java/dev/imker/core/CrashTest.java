package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.catalogue.Balanced;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.job.OnFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Jobs of four tasks in a row whose third one fails, under every strategy; and the same with a
 * crash after every single event: it makes no difference to how they end.
 */
class CrashTest {
  private static final int MAX_EVENTS = 300;
  private static final int NEVER = Integer.MAX_VALUE;
  private static final int FAILING = 2;

  /** What goes down. */
  enum Crash {
    SERVER,
    AGENT,
    BOTH
  }

  /** How a job ended. */
  record End(String phase, List<TaskState> states, List<Integer> undone) {}

  /** What a job is to do about failures. */
  enum Plan {
    RERUN(OnFailure.Way.ABORT, 0),
    ABORT(OnFailure.Way.ABORT, 0),
    CARRY_ON(OnFailure.Way.CARRY_ON, 0),
    RESTART(OnFailure.Way.RESTART, 2),
    ROLLBACK(OnFailure.Way.ROLLBACK, 0);

    private final OnFailure.Way way;
    private final int limit;

    Plan(OnFailure.Way way, int limit) {
      this.way = way;
      this.limit = limit;
    }

    OnFailure onFailure() {
      return new OnFailure(way, limit);
    }

    /** Whether an attempt fails, told by what is on record, so that a crash changes nothing. */
    boolean fails(int index, int failures, String phase) {
      return switch (this) {
        case RERUN -> index == FAILING && failures < 2;
        case ABORT, CARRY_ON -> index == FAILING;
        case RESTART -> index == FAILING && !phase.equals("RESTARTED 2");
        case ROLLBACK ->
            phase.equals("ROLLING_BACK") ? index == 1 && failures < 1 : index == FAILING;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void crash_after_any_event_changes_nothing(Plan plan) {
    crashAfterAnyEvent(plan, SchedulerSettings.defaults());
  }

  @ParameterizedTest
  @EnumSource
  void nor_if_what_follows_from_a_failure_takes_a_turn_for_each_task(Plan plan) {
    crashAfterAnyEvent(plan, SchedulerSettings.defaults().withTasksPerTurn(1));
  }

  private static void crashAfterAnyEvent(Plan plan, SchedulerSettings settings) {
    World quiet = new World(plan, settings, NEVER, Crash.BOTH);
    End expected = quiet.play();
    assertThat(expected).isEqualTo(end(plan));
    for (Crash crash : Crash.values()) {
      for (int event = 1; event <= quiet.events; event++) {
        assertThat(new World(plan, settings, event, crash).play())
            .as("%s, %s crashed after event %d", plan, crash, event)
            .isEqualTo(expected);
      }
    }
  }

  private static End end(Plan plan) {
    return switch (plan) {
      case RERUN, RESTART ->
          new End(
              plan == Plan.RERUN ? "RUNNING" : "RESTARTED 2",
              List.of(TaskState.DONE, TaskState.DONE, TaskState.DONE, TaskState.DONE),
              List.of());
      case ABORT ->
          new End(
              "ABORTED",
              List.of(TaskState.DONE, TaskState.DONE, TaskState.AUTO_BLOCKED, TaskState.FAILED),
              List.of());
      case CARRY_ON ->
          new End(
              "RUNNING",
              List.of(TaskState.DONE, TaskState.DONE, TaskState.AUTO_BLOCKED, TaskState.FAILED),
              List.of());
      case ROLLBACK ->
          new End(
              "ROLLED_BACK",
              List.of(
                  TaskState.CANCELLED,
                  TaskState.CANCELLED,
                  TaskState.AUTO_BLOCKED,
                  TaskState.FAILED),
              List.of(1, 0));
    };
  }

  /** A server, what it has on disk, and an agent. */
  private static final class World {
    private static final JobId JOB = new JobId(1);
    private static final AgentId AGENT = new AgentId("a");

    private final Plan plan;
    private final int crashAfter;
    private final Crash crash;
    private final Ledger ledger = new Ledger();
    private final Map<Lease, AttemptReport> reports = new LinkedHashMap<>();
    private final List<Lease> held = new ArrayList<>();
    private final List<Integer> undone = new ArrayList<>();
    private Wire wire = new Wire();
    private final SchedulerSettings settings;
    private Scheduler scheduler;
    private long now = 1_000_000;
    private long epoch = 1;
    private long incarnation = 1;
    private int events;

    World(Plan plan, SchedulerSettings settings, int crashAfter, Crash crash) {
      this.settings = settings;
      this.scheduler = new Scheduler(settings, new Balanced(), 1, 42);
      this.plan = plan;
      this.crashAfter = crashAfter;
      this.crash = crash;
    }

    /** Messages that wait until their event is on disk. */
    private static final class Wire implements Outbox {
      final List<Change> changes = new ArrayList<>();
      final List<Lease> assigned = new ArrayList<>();
      final List<Lease> confirmed = new ArrayList<>();
      final List<Lease> stopped = new ArrayList<>();

      @Override
      public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
        assigned.add(lease);
      }

      @Override
      public void stop(AgentId agent, Lease lease, String reason) {
        stopped.add(lease);
      }

      @Override
      public void confirm(AgentId agent, Lease lease, boolean accepted) {
        confirmed.add(lease);
      }

      @Override
      public void change(Change change) {
        changes.add(change);
      }

      @Override
      public void jobTouched(JobId job) {}
    }

    private interface Event {
      void happen(Wire out);
    }

    /** What happens is on disk first; a crash comes before anybody hears of it. */
    private void event(Event event) {
      now += 10;
      event.happen(wire);
      wire.changes.forEach(ledger::apply);
      scheduler.checkInvariants();
      Wire done = wire;
      wire = new Wire();
      if (++events == crashAfter) {
        goDown();
      } else {
        held.addAll(done.assigned);
        done.stopped.forEach(this::forget);
        done.confirmed.forEach(this::forget);
      }
    }

    private void forget(Lease lease) {
      held.remove(lease);
      reports.remove(lease);
    }

    private void goDown() {
      if (crash != Crash.SERVER) {
        held.clear();
        reports.clear();
        incarnation++;
      }
      if (crash != Crash.AGENT) {
        scheduler = ledger.restart(settings, new Balanced(), ++epoch, now);
      }
      event(out -> scheduler.onHello(now, hello(), out));
    }

    private AgentHello hello() {
      return SchedulerFixture.agent(AGENT.value(), 1, incarnation, List.copyOf(held));
    }

    End play() {
      JobHeader job = job();
      ledger.add(job);
      event(out -> scheduler.onSubmit(now, job, out));
      event(out -> scheduler.onHello(now, hello(), out));
      while (!isSettled()) {
        assertThat(events).as("events").isLessThan(MAX_EVENTS);
        event(out -> scheduler.dispatch(now, out));
        if (!held.isEmpty()) {
          Lease lease = held.getFirst();
          reports.computeIfAbsent(lease, this::run);
          event(out -> scheduler.onFinished(now, AGENT, lease, reports.get(lease), out));
        }
      }
      List<TaskState> states = new ArrayList<>();
      for (int i = 0; i < job.taskCount(); i++) {
        states.add(scheduler.view().state(new TaskId(JOB, i)));
      }
      return new End(scheduler.view().phase(JOB).shown(), states, undone());
    }

    /** In the order in which they were undone first. */
    private List<Integer> undone() {
      return undone.stream().distinct().toList();
    }

    private JobHeader job() {
      JobHeader job =
          SchedulerFixture.staged(
              1,
              SchedulerFixture.stage(1),
              SchedulerFixture.stage(1, new Dependency.All(0)),
              SchedulerFixture.stage(1, new Dependency.All(1)),
              SchedulerFixture.stage(1, new Dependency.All(2)));
      return new JobHeader(job.id(), job.project(), 4, job.stages(), plan.onFailure());
    }

    private boolean isSettled() {
      int[] counts = scheduler.view().counts(JOB);
      if (counts == null) {
        return false;
      }
      int open = 0;
      for (TaskState state : TaskState.values()) {
        open += state.isSettled() ? 0 : counts[state.ordinal()];
      }
      return open == 0;
    }

    private AttemptReport run(Lease lease) {
      int index = lease.task().index();
      String phase = scheduler.view().phase(JOB).shown();
      Ledger.Row row = ledger.rows().get(lease.task());
      boolean fails = plan.fails(index, row == null ? 0 : row.failures(), phase);
      if (!fails && phase.equals("ROLLING_BACK")) {
        undone.add(index);
      }
      return new AttemptReport(
          fails ? AttemptOutcome.FAILED : AttemptOutcome.SUCCEEDED,
          fails ? 1 : 0,
          now - 5,
          now,
          5,
          1 << 20,
          CapturedOutput.NONE,
          CapturedOutput.NONE,
          List.of(),
          "");
    }
  }
}
