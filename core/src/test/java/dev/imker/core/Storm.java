package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.CopyChoice;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobChanged;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Drives a scheduler with random events, checks its invariants and its changes after each. */
final class Storm implements Outbox {
  private static final int AGENTS = 6;
  private static final int LICENCES = 3;

  /** Chooses anything, nothing, or a copy. */
  private final class AnyChoice implements Strategy {
    @Override
    public String name() {
      return "any";
    }

    @Override
    public int choose(Choice choice) {
      return random.nextInt(10) == 0 ? NONE : random.nextInt(choice.candidates());
    }

    @Override
    public int chooseCopy(CopyChoice choice) {
      boolean copy = choice.candidates() > 0 && random.nextBoolean();
      return copy ? random.nextInt(choice.candidates()) : NONE;
    }
  }

  private final Random random;
  private final int restartOneIn;
  private final SchedulerSettings settings;
  private final Ledger ledger = new Ledger();
  private final GraphModel model = new GraphModel();
  private final List<StormAgent> agents = new ArrayList<>();
  private Scheduler scheduler;
  private long epoch = 1;
  private long now = 5_000;
  private long lastJob;

  Storm(long seed, int restartOneIn, long returnDelayMillis) {
    this.random = new Random(seed);
    this.restartOneIn = restartOneIn;
    settings =
        SchedulerSettings.defaults()
            .withLeaseMillis(1_000)
            .withPrefetch(100, 8)
            .withLostReturnDelayMillis(returnDelayMillis)
            .withTasksPerTurn(seed % 2 == 0 ? 2 : 2_000)
            .withFewMachines(seed % 3 == 0 ? 0 : 64);
    scheduler = new Scheduler(settings, new AnyChoice(), epoch, seed);
    ledger.shared.put("licence", (double) LICENCES);
    scheduler.onPoolResources(ledger.shared);
    for (int i = 0; i < AGENTS; i++) {
      agents.add(new StormAgent(i));
    }
  }

  void rage(int events) {
    for (int i = 0; i < events; i++) {
      now += random.nextInt(100);
      event();
      scheduler.checkInvariants();
      checkAmounts();
      check();
      if (restartOneIn > 0 && random.nextInt(restartOneIn) == 0) {
        restart();
      }
    }
    compareWithLedger();
  }

  /** All agents behave: everything that can run is done in the end. */
  void calmDown() {
    for (int round = 0; round < 2_000 && (hasLiveTasks() || isPausing()); round++) {
      now += 50;
      for (StormAgent agent : agents) {
        if (!agent.connected) {
          hello(agent);
        }
        scheduler.onDrain(now, agent.id, false, this);
        scheduler.onSignOfLife(now, agent.id, List.copyOf(agent.held), this);
        for (Lease lease : List.copyOf(agent.held)) {
          finish(agent, lease, AttemptOutcome.SUCCEEDED);
        }
      }
      scheduler.onTick(now, this);
      scheduler.dispatch(now, this);
      scheduler.checkInvariants();
    }
    assertThat(hasLiveTasks())
        .as(
            "tasks left READY or RUNNING: %s, kept %s, %s, %s",
            Arrays.toString(scheduler.view().totals()),
            scheduler.view().reservations(now),
            scheduler.view().poolAmounts(),
            readyNeeds())
        .isFalse();
    int[] totals = scheduler.view().totals();
    if (totals[TaskState.BLOCKED.ordinal()] == 0) {
      assertThat(totals[TaskState.WAITING.ordinal()]).as("tasks that wait for nothing").isZero();
    }
    compareWithLedger();
  }

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
    model.assertMayStart(lease.task(), scheduler);
    StormAgent receiver = agent(agent);
    if (receiver.connected && random.nextInt(50) > 0) {
      receiver.held.add(lease);
    }
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    agent(agent).told.add(lease);
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    agent(agent).held.remove(lease);
  }

  @Override
  public void change(Change change) {
    ledger.apply(change);
  }

  @Override
  public void jobTouched(JobId job) {
    assertThat(scheduler.view().counts(job)).isNotNull();
  }

  private void event() {
    StormAgent agent = agents.get(random.nextInt(AGENTS));
    switch (random.nextInt(16)) {
      case 0 -> submit();
      case 1, 2 -> hello(agent);
      case 3 -> disconnect(agent);
      case 4 -> {
        agent.held.clear();
        agent.incarnation++;
        hello(agent);
      }
      case 5 -> scheduler.onSignOfLife(now, agent.id, List.copyOf(agent.held), this);
      case 6, 7 -> finishOne(agent);
      case 8 -> repeatReport(agent);
      case 9 -> order();
      case 10 -> {
        priority();
        limitSome();
      }
      case 11 -> {
        now += random.nextInt(800);
        scheduler.onTick(now, this);
      }
      case 12 -> scheduler.onDrain(now, agent.id, random.nextInt(4) == 0, this);
      case 13 -> obeyStops(agent);
      default -> scheduler.dispatch(now, this);
    }
  }

  private void submit() {
    Requirements needs = random.nextInt(3) == 0 ? Requirements.ANY : needs();
    JobId id = new JobId(++lastJob);
    ProjectId project = new ProjectId("u" + random.nextInt(2), "p" + random.nextInt(3));
    RandomStages made = new RandomStages(random, ledger.jobs());
    JobHeader job =
        new JobHeader(id, project, random.nextInt(10), made.stages(needs), made.onFailure());
    ledger.add(job);
    model.add(job);
    scheduler.onSubmit(now, job, this);
  }

  private List<String> readyNeeds() {
    List<String> all = new ArrayList<>();
    for (JobHeader job : ledger.jobs()) {
      int index = 0;
      for (dev.imker.core.message.StageHeader stage : job.stages()) {
        for (int i = 0; i < stage.taskCount(); i++, index++) {
          if (scheduler.view().state(new TaskId(job.id(), index)) == TaskState.READY) {
            all.add(
                job.id()
                    + "."
                    + index
                    + (stage.isGang() ? " gang " : " ")
                    + stage.needs()
                    + " "
                    + stage.rules().pin()
                    + " "
                    + stage.rules().quorum());
          }
        }
      }
    }
    return all;
  }

  private Requirements needs() {
    List<Requirements.Need> variants = new ArrayList<>();
    for (int i = random.nextInt(4) / 3; i >= 0; i--) {
      variants.add(need());
    }
    return new Requirements(variants);
  }

  private Requirements.Need need() {
    double[] cores = {0, 0, 0.25, 0.5, 1, 2, 4};
    double[] gpus = {0, 0, 0, 0.5, 1, 2};
    long[] memory = {0, 0, 300 << 20, 1 << 30};
    Map<String, Double> others = new HashMap<>();
    if (random.nextInt(4) == 0) {
      others.put(random.nextBoolean() ? "fpga" : "camera", 1.0 + random.nextInt(2));
    }
    if (random.nextInt(4) == 0) {
      others.put("licence", 1.0 + random.nextInt(LICENCES));
    }
    boolean whole = random.nextInt(12) == 0;
    boolean auto = random.nextInt(8) == 0;
    boolean grows = !auto && random.nextInt(8) == 0;
    return new Requirements.Need(
        Set.of(),
        Set.of(),
        whole ? 0 : cores[random.nextInt(cores.length)],
        gpus[random.nextInt(gpus.length)],
        auto ? 0 : grows ? 300 << 20 : memory[random.nextInt(memory.length)],
        0,
        random.nextInt(5) == 0 ? Set.of("strong") : Set.of(),
        Map.of(),
        0,
        whole,
        others,
        auto,
        grows ? Set.of("memory") : Set.of());
  }

  /** Nothing is handed out that is not there, and nothing stays taken that nobody has. */
  private void checkAmounts() {
    for (StormAgent agent : agents) {
      scheduler
          .view()
          .amounts(agent.node)
          .forEach(
              (name, amount) ->
                  assertThat(!agent.connected || amount.taken() <= amount.has())
                      .as("%s of %s: %s", name, agent.node, amount)
                      .isTrue());
    }
    scheduler
        .view()
        .poolAmounts()
        .forEach(
            (name, amount) ->
                assertThat(amount.taken()).as(name).isLessThanOrEqualTo(amount.has()));
    if (scheduler.view().agents().stream().allMatch(agent -> agent.held() == 0)) {
      scheduler.view().poolAmounts().values().forEach(one -> assertThat(one.taken()).isZero());
    }
  }

  private void hello(StormAgent agent) {
    agent.connected = true;
    scheduler.onHello(now, agent.hello(), this);
  }

  private void disconnect(StormAgent agent) {
    agent.connected = false;
    scheduler.onDisconnect(now, agent.id, this);
  }

  private void finishOne(StormAgent agent) {
    if (agent.connected && !agent.held.isEmpty()) {
      Lease lease = agent.held.get(random.nextInt(agent.held.size()));
      AttemptOutcome[] outcomes = {
        AttemptOutcome.SUCCEEDED,
        AttemptOutcome.SUCCEEDED,
        AttemptOutcome.FAILED,
        AttemptOutcome.GIVEN_BACK,
        AttemptOutcome.STOPPED
      };
      finish(agent, lease, outcomes[random.nextInt(outcomes.length)]);
    }
  }

  /** Sends again what was sent before, or what the agent should long have forgotten. */
  private void repeatReport(StormAgent agent) {
    if (!agent.reported.isEmpty()) {
      Lease lease = agent.reported.get(random.nextInt(agent.reported.size()));
      scheduler.onFinished(now, agent.id, lease, report(AttemptOutcome.SUCCEEDED), this);
    }
  }

  private void finish(StormAgent agent, Lease lease, AttemptOutcome outcome) {
    agent.reported.add(lease);
    scheduler.onFinished(now, agent.id, lease, report(outcome), this);
  }

  private void obeyStops(StormAgent agent) {
    for (Lease lease : List.copyOf(agent.told)) {
      finish(agent, lease, AttemptOutcome.STOPPED);
    }
    agent.told.clear();
  }

  private void order() {
    if (lastJob == 0) {
      return;
    }
    JobId job = new JobId(1 + random.nextLong(lastJob));
    int from = random.nextInt(12);
    int to = from + random.nextInt(12);
    switch (random.nextInt(4)) {
      case 0 -> scheduler.onCancel(now, job, from, to, this);
      case 1 -> scheduler.onBlock(now, job, from, to, this);
      default -> scheduler.onRelease(now, job, from, to, this);
    }
  }

  private void priority() {
    if (lastJob > 0) {
      scheduler.onPriority(now, new JobId(1 + random.nextLong(lastJob)), random.nextInt(10), this);
    }
  }

  /** Single tasks get limits of their own, now and then all of a job lose them. */
  private void limitSome() {
    if (lastJob == 0) {
      return;
    }
    JobId job = new JobId(1 + random.nextLong(lastJob));
    List<TaskLimits> next = List.of();
    if (random.nextInt(5) > 0) {
      int from = random.nextInt(12);
      TaskLimits some =
          new TaskLimits(
              from,
              from + 1 + random.nextInt(6),
              random.nextBoolean() ? random.nextInt(10) : null,
              random.nextBoolean() ? 1 + random.nextInt(5) : null,
              random.nextBoolean() ? 1_000L * random.nextInt(60) : null,
              random.nextInt(4) == 0 ? "" : null);
      next = TaskLimits.overlay(ledger.limits(job), some);
    }
    ledger.limits(job, next);
    scheduler.onTaskLimits(now, job, next, this);
  }

  /** The server dies and comes back: agents know only that the connection is gone. */
  private void restart() {
    compareWithLedger();
    scheduler = ledger.restart(settings, new AnyChoice(), ++epoch, now);
    scheduler.checkInvariants();
    agents.forEach(agent -> agent.connected = false);
    compareWithLedger();
  }

  private void compareWithLedger() {
    check();
    ledger
        .rows()
        .forEach((task, row) -> assertThat(scheduler.view().state(task)).isEqualTo(row.state()));
    for (StormAgent agent : agents) {
      assertThat(new HashSet<>(scheduler.view().leases(agent.id)))
          .isEqualTo(new HashSet<>(ledger.openLeases(agent.id)));
    }
    for (JobHeader job : ledger.jobs()) {
      int[] counts = scheduler.view().counts(job.id());
      assertThat(counts).isNotNull();
      assertThat(scheduler.view().job(job.id())).isEqualTo(job);
      if (isSettled(job)) {
        assertThat(ledger.lastChange(job.id()).settledMillis()).isNotEqualTo(JobChanged.OPEN);
        assertThat(ledger.lastChange(job.id()).countsByState()).isEqualTo(counts);
      }
    }
  }

  private boolean isSettled(JobHeader job) {
    for (int i = 0; i < job.taskCount(); i++) {
      TaskState state = scheduler.view().state(new TaskId(job.id(), i));
      if (state == null || !state.isSettled()) {
        return false;
      }
    }
    return true;
  }

  /** Tasks that wait while none is held back wait for the end of a pause, or for such a task. */
  private boolean isPausing() {
    int[] totals = scheduler.view().totals();
    return totals[TaskState.BLOCKED.ordinal()] == 0 && totals[TaskState.WAITING.ordinal()] > 0;
  }

  private void check() {
    if (scheduler.hasUnfinished()) {
      return; // what follows from something is drawn in later turns
    }
    model.check(
        scheduler,
        task -> {
          Ledger.Row row = ledger.rows().get(task);
          return row != null && row.failures() > 0;
        });
  }

  private boolean hasLiveTasks() {
    int[] totals = scheduler.view().totals();
    return totals[TaskState.READY.ordinal()] + totals[TaskState.RUNNING.ordinal()] > 0;
  }

  private AttemptReport report(AttemptOutcome outcome) {
    long runMillis = random.nextInt(40);
    return new AttemptReport(
        outcome,
        0,
        now - runMillis,
        now,
        0,
        (long) random.nextInt(1200) << 20,
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        "",
        0,
        random.nextInt(3) == 0);
  }

  private StormAgent agent(AgentId id) {
    return agents.get(Integer.parseInt(id.value().substring(1)));
  }
}
