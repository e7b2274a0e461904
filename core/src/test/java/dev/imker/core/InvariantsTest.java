package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.core.internal.agents.AgentList;
import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.dispatch.Gangs;
import dev.imker.core.internal.dispatch.Reservations;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.leases.LeaseTable;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.steps.TaskSteps;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Grant;
import dev.imker.core.resource.ResourceKinds;
import dev.imker.core.resource.Stock;
import dev.imker.model.TaskState;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Breaks the state on purpose: what is never noticed need not be checked. */
class InvariantsTest {
  private final PoolProfile profiles = new PoolProfile();
  private final SchedulerSettings settings = SchedulerSettings.defaults();
  private final ResourceKinds kinds = new ResourceKinds();
  private final Stock pool = new Stock(kinds);
  private final RequirementClasses classes = new RequirementClasses(kinds, pool);
  private final AgentTable agents = new AgentTable(settings, classes, kinds, pool);
  private final ReadyWork ready = new ReadyWork(profiles);
  private final LeaseTable leases = new LeaseTable(1, 0);
  private final JobTable jobs =
      new JobTable(classes, agents, ready, new Gangs(new Reservations(agents)), profiles);
  private final Attempts attempts =
      new Attempts(
          settings,
          new TaskSteps(ready, profiles, 1),
          leases,
          agents,
          profiles,
          new SeededRandom(1));
  private final RecordingOutbox out = new RecordingOutbox();
  private final TaskArray job = jobs.add(SchedulerFixture.header(1, 5));

  @BeforeEach
  void state_is_sound() {
    jobs.open(job);
    new AgentEvents(settings, agents, leases, attempts, profiles, ready, jobs)
        .hello(0, SchedulerFixture.agent("a", 2, 1, List.of()), out);
    ReadyRange range = Objects.requireNonNull(job.stage(0).firstRange());
    Grant grant = agent().take(Demand.ONE_CORE, 0);
    attempts.assign(0, agent(), job, ready.take(range), grant, out);
    assertThatCode(this::check).doesNotThrowAnyException();
  }

  @Test
  void task_that_changed_past_its_queue_is_noticed() {
    job.fill(3, 4, TaskState.READY, TaskState.DONE);
    assertBroken("queued but not READY");
  }

  @Test
  void wrong_count_is_noticed() {
    job.fill(3, 4, TaskState.CANCELLED, TaskState.READY);
    assertBroken("counts of job 1");
  }

  @Test
  void task_that_was_done_cannot_be_anything_else() {
    job.fill(3, 4, TaskState.READY, TaskState.DONE);
    assertThatThrownBy(() -> job.fill(3, 4, TaskState.DONE, TaskState.READY))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1.4 is DONE and cannot be READY");
  }

  @Test
  void task_that_left_its_queue_for_nothing_is_noticed() {
    ready.take(Objects.requireNonNull(job.stage(0).firstRange()));
    assertBroken("READY but not queued");
  }

  @Test
  void running_task_without_lease_is_noticed() {
    LiveAttempt attempt = Objects.requireNonNull(agent().firstAttempt());
    leases.remove(attempt);
    assertBroken("attempt without lease");
  }

  @Test
  void lease_without_task_is_noticed() {
    job.running().remove(0);
    assertBroken("running tasks of job 1");
  }

  @Test
  void idle_agent_that_nobody_looks_for_is_noticed() {
    AgentList.leave(agent());
    assertBroken("is forgotten");
  }

  @Test
  void agent_that_is_offered_while_away_is_noticed() {
    agent().connected = false;
    assertBroken("offered but not serving");
  }

  @Test
  void priority_changed_past_the_queue_is_noticed() {
    job.priority(9);
    assertBroken("in a wrong queue");
  }

  private AgentSlots agent() {
    return Objects.requireNonNull(agents.get(SchedulerFixture.id("a")));
  }

  private void check() {
    new Invariants(jobs, ready, leases, agents, attempts).check();
  }

  private void assertBroken(String what) {
    assertThatThrownBy(this::check)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(what);
  }
}
