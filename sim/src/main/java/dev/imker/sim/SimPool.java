package dev.imker.sim;

import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.UptimeClock;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.SimConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The production scheduler with agents of one slot each, driven by minutes. */
final class SimPool implements Outbox {
  /** Told when the scheduler ends an attempt because another copy was faster. */
  interface Stops {
    void stopped(int node);
  }

  private static final long MINUTE = 60_000;

  /** The first Monday of 1970. */
  private static final long MONDAY = 4 * 24 * 60 * MINUTE;

  private static final long FOREVER = Long.MAX_VALUE / 4;

  private final Scheduler scheduler;
  private final Stops stops;
  private final boolean speculative;
  private final AgentId[] agents;
  private final Platform[] platforms;
  private final long[] incarnations;
  private final @Nullable Lease[] leases;
  private final Map<AgentId, Integer> nodes = new HashMap<>();
  private final long startMillis;
  private final long stepMillis;
  private long jobs;
  private long nowMillis;

  SimPool(SimConfig config, Strategy strategy, boolean speculative, long seed, Stops stops) {
    this.stops = stops;
    this.speculative = speculative;
    startMillis = MONDAY + config.startMinute() * MINUTE;
    stepMillis = config.stepMillis();
    SchedulerSettings settings =
        SchedulerSettings.defaults()
            .withLeaseMillis(FOREVER)
            .withMaxLosses(Integer.MAX_VALUE)
            .withPrefetch(0, 0)
            .withLostReturnDelayMillis(config.lostMinutes() * config.stepMillis());
    scheduler = new Scheduler(settings, strategy, 1, seed);
    scheduler.profiles().clock(config.agesIdle() ? UptimeClock.WALL : UptimeClock.BUSY);
    agents = new AgentId[config.nodes()];
    platforms = new Platform[config.nodes()];
    incarnations = new long[config.nodes()];
    leases = new Lease[config.nodes()];
    int node = 0;
    for (Machines machines : config.machines()) {
      for (int i = 0; i < machines.count(); i++, node++) {
        agents[node] = new AgentId("n" + node);
        platforms[node] = platform(machines);
        nodes.put(agents[node], node);
      }
    }
  }

  private static Platform platform(Machines machines) {
    return new Platform(
        "", "", "", machines.name(), 1, 0, 0, 0, machines.benchmarkMillis(), Map.of(), Set.of());
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** What is due comes back before anybody acts in the minute. */
  void startMinute(int minute) {
    nowMillis = startMillis + minute * stepMillis;
    scheduler.onTick(nowMillis, this);
  }

  /** Returns the job the tasks have become. */
  JobId submit(ProjectId project, int count) {
    JobId id = new JobId(++jobs);
    scheduler.onSubmit(
        nowMillis,
        new JobHeader(
            id,
            project,
            count,
            Requirements.ANY,
            JobSpec.DEFAULT_PRIORITY,
            Integer.MAX_VALUE,
            0,
            speculative),
        this);
    return id;
  }

  /** A node starts, or has just failed and starts again; work it had is lost. */
  void start(int node) {
    leases[node] = null;
    scheduler.onHello(
        nowMillis,
        new AgentHello(
            agents[node],
            new NodeId(agents[node].value()),
            agents[node].value(),
            "",
            platforms[node],
            1,
            ++incarnations[node],
            List.of()),
        this);
  }

  /** A node goes away for a while; work it had is lost. */
  void leave(int node) {
    start(node);
    scheduler.onDrain(nowMillis, agents[node], true, this);
    scheduler.onDisconnect(nowMillis, agents[node], this);
  }

  /** A free node asks for work; null if there is none for it. */
  @Nullable TaskId request(int node) {
    scheduler.dispatchTo(nowMillis, agents[node], this);
    Lease lease = leases[node];
    return lease == null ? null : lease.task();
  }

  void succeeded(int node, int minutes) {
    report(node, AttemptOutcome.SUCCEEDED, minutes);
  }

  private void report(int node, AttemptOutcome outcome, int minutes) {
    Lease lease = leases[node];
    if (lease == null) {
      throw new IllegalStateException("node " + node + " has nothing to report");
    }
    leases[node] = null;
    AttemptReport report =
        new AttemptReport(
            outcome,
            0,
            nowMillis - minutes * stepMillis,
            nowMillis,
            0,
            0,
            CapturedOutput.NONE,
            CapturedOutput.NONE,
            List.of(),
            "");
    scheduler.onFinished(nowMillis, agents[node], lease, report, this);
  }

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
    leases[index(agent)] = lease;
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    int node = index(agent);
    if (lease.equals(leases[node])) {
      stops.stopped(node);
      report(node, AttemptOutcome.STOPPED, 0);
    }
  }

  private int index(AgentId agent) {
    Integer node = nodes.get(agent);
    if (node == null) {
      throw new IllegalStateException("unknown agent " + agent);
    }
    return node;
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {}

  @Override
  public void change(Change change) {}

  @Override
  public void jobTouched(JobId job) {}
}
