package dev.imker.server.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.AgentLines;
import dev.imker.server.loop.PendingAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Three agents without threads: they hold what they were given until they may forget it. */
final class SteppedAgents implements AgentLines {
  /** Takes what an agent says; false if no answer came. */
  interface Server {
    boolean isDone(PendingAnswer.Work<?> work);
  }

  /** What comes of a task. */
  @FunctionalInterface
  interface Outcomes {
    /**
     * @param attempt which one, from 1 on
     * @param round how often the agent was asked before; null means that it still runs
     */
    @Nullable AttemptOutcome of(TaskId task, int attempt, int round);
  }

  static final long CPU_MILLIS = 7;

  /** Why attempts fail that do. */
  static final String ERROR = "as planned";

  private static final long SIGN_OF_LIFE_MILLIS = 5_000;

  private static final class Work {
    final int attempt;
    final boolean undo;
    int rounds;
    @Nullable AttemptReport report;

    Work(int attempt, boolean undo) {
      this.attempt = attempt;
      this.undo = undo;
    }
  }

  private static final class Agent {
    final AgentId id;
    final Map<Lease, Work> work = new LinkedHashMap<>();
    boolean connected;
    long incarnation = 1;
    long heardMillis;

    Agent(String name) {
      id = new AgentId(name);
    }
  }

  private final Server server;
  private final LongSupplier clock;
  private final List<Agent> agents = List.of(new Agent("a"), new Agent("b"), new Agent("c"));
  private final Set<Lease> begun = new HashSet<>();
  private final Set<Lease> counted = new HashSet<>();
  private final Map<TaskId, Lease> told = new HashMap<>();
  private final List<TaskId> undone = new ArrayList<>();
  private Outcomes outcomes = (task, attempt, round) -> AttemptOutcome.SUCCEEDED;

  SteppedAgents(Server server, LongSupplier clock) {
    this.server = server;
    this.clock = clock;
  }

  void outcomes(Outcomes value) {
    outcomes = value;
  }

  /** All of them lose what they have, and begin again. */
  void crash() {
    for (Agent agent : agents) {
      agent.connected = false;
      agent.incarnation++;
      agent.work.clear();
    }
  }

  /** Every agent says what it has to say. */
  void round() {
    for (Agent agent : agents) {
      if (!agent.connected) {
        Platform platform =
            new Platform(
                "linux", "", "x86_64", agent.id.value(), 2, 0, 1, 1, 1, Map.of(), Set.of());
        AgentHello hello =
            new AgentHello(
                agent.id,
                new NodeId("node-" + agent.id),
                agent.id.value(),
                "test",
                platform,
                2,
                agent.incarnation,
                List.copyOf(agent.work.keySet()));
        boolean answered =
            server.isDone(
                (pool, nowMillis, out) -> {
                  pool.scheduler().onHello(nowMillis, hello, out);
                  return true;
                });
        agent.connected = answered && agent.incarnation == hello.incarnation();
        agent.heardMillis = clock.getAsLong();
      } else {
        giveSignOfLife(agent);
        for (Lease lease : List.copyOf(agent.work.keySet())) {
          report(agent, lease);
        }
      }
    }
  }

  private void giveSignOfLife(Agent agent) {
    if (clock.getAsLong() - agent.heardMillis < SIGN_OF_LIFE_MILLIS) {
      return;
    }
    agent.heardMillis = clock.getAsLong();
    List<Lease> held = List.copyOf(agent.work.keySet());
    var _ =
        server.isDone(
            (pool, nowMillis, out) ->
                pool.scheduler().onSignOfLife(nowMillis, agent.id, held, out));
  }

  private void report(Agent agent, Lease lease) {
    Work work = agent.work.get(lease);
    if (work == null || !agent.connected) {
      return;
    }
    if (work.report == null) {
      AttemptOutcome outcome =
          work.undo
              ? AttemptOutcome.SUCCEEDED
              : outcomes.of(lease.task(), work.attempt, work.rounds++);
      if (outcome == null) {
        return;
      }
      work.report = report(outcome);
    }
    AttemptReport report = work.report;
    var _ =
        server.isDone(
            (pool, nowMillis, out) -> {
              pool.scheduler().onFinished(nowMillis, agent.id, lease, report, out);
              return true;
            });
  }

  private AttemptReport report(AttemptOutcome outcome) {
    return new AttemptReport(
        outcome,
        outcome == AttemptOutcome.SUCCEEDED ? 0 : 1,
        clock.getAsLong() - 5,
        clock.getAsLong(),
        CPU_MILLIS,
        0,
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        outcome == AttemptOutcome.FAILED ? ERROR : "");
  }

  private Agent agent(AgentId id) {
    return agents.stream().filter(one -> one.id.equals(id)).findFirst().orElseThrow();
  }

  /** A lease that the agent holds and still works on. */
  @Nullable Lease running(TaskId task) {
    return agents.stream()
        .flatMap(agent -> agent.work.keySet().stream())
        .filter(lease -> lease.task().equals(task))
        .findFirst()
        .orElse(null);
  }

  AgentId holder(Lease lease) {
    return agents.stream()
        .filter(agent -> agent.work.containsKey(lease))
        .map(agent -> agent.id)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void assign(
      AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {
    assertThat(begun.add(lease)).as("lease %s begins once", lease).isTrue();
    agent(agent).work.put(lease, new Work(attempt, undo));
    if (undo) {
      undone.add(lease.task());
    }
  }

  @Override
  public void describe(AgentId agent, LiveJob job, int stage) {}

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    Work work = agent(agent).work.get(lease);
    if (work != null && work.report == null) {
      work.report = report(AttemptOutcome.STOPPED);
    } else {
      agent(agent).work.remove(lease);
    }
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    Work work = agent(agent).work.remove(lease);
    if (work != null && accepted && work.report != null) {
      counted.add(lease);
      if (work.report.outcome() == AttemptOutcome.SUCCEEDED && !work.undo) {
        Lease before = told.put(lease.task(), lease);
        assertThat(before).as("one result of %s", lease.task()).isIn(null, lease);
      }
    }
  }

  @Override
  public void pause(AgentId agent, String why) {}

  @Override
  public void hangUpAll(String reason) {
    agents.forEach(agent -> agent.connected = false);
  }

  boolean isIdle() {
    return agents.stream().allMatch(agent -> agent.work.isEmpty());
  }

  /** Which lease brought the result of a task, as its agent was told. */
  Map<TaskId, Lease> told() {
    return told;
  }

  /** How many attempts agents were told to have counted. */
  int counted() {
    return counted.size();
  }

  List<TaskId> undone() {
    return undone;
  }

  /** Results no longer count that were undone. */
  void forgetResults(JobId job) {
    told.keySet().removeIf(task -> task.job().equals(job));
  }

  @Override
  public String toString() {
    return agents.stream()
        .map(agent -> agent.id + " " + agent.connected + " " + agent.work.keySet())
        .toList()
        .toString();
  }
}
