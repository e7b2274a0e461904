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
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.job.JobSpec;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.SimConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The production scheduler with an agent on each machine, driven by minutes. */
final class SimPool implements Outbox {
  /** The scheduler's orders to machines. */
  interface Orders {
    void begin(int node, Lease lease, int attempt, Granted granted);

    /** Ends an attempt because another copy was faster; returns false if there is none. */
    boolean stop(int node, Lease lease);
  }

  private static final long MINUTE = 60_000;

  /** The first Monday of 1970. */
  private static final long MONDAY = 4 * 24 * 60 * MINUTE;

  private static final long FOREVER = Long.MAX_VALUE / 4;

  private final Scheduler scheduler;
  private final Orders orders;
  private final boolean speculative;
  private final AgentId[] agents;
  private final Machines[] machines;
  private final long[] incarnations;
  private final boolean amounts;
  private final Map<AgentId, Integer> nodes = new HashMap<>();
  private final long startMillis;
  private final long stepMillis;
  private long jobs;
  private long nowMillis;

  SimPool(SimConfig config, Strategy strategy, boolean speculative, long seed, Orders orders) {
    this.orders = orders;
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
    machines = new Machines[config.nodes()];
    incarnations = new long[config.nodes()];
    amounts = config.hasAmounts();
    scheduler.onPoolResources(config.resources());
    int node = 0;
    for (Machines kind : config.machines()) {
      for (int i = 0; i < kind.count(); i++, node++) {
        agents[node] = new AgentId("n" + node);
        machines[node] = kind;
        nodes.put(agents[node], node);
      }
    }
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** Due tasks come back before anybody acts in the minute. */
  void startMinute(int minute) {
    nowMillis = startMillis + minute * stepMillis;
    scheduler.onTick(nowMillis, this);
  }

  /** Returns the job of the tasks. */
  JobId submit(Arrival arrival) {
    JobId id = new JobId(++jobs);
    scheduler.onSubmit(
        nowMillis,
        new JobHeader(
            id,
            arrival.project(),
            arrival.count(),
            arrival.needs(),
            JobSpec.DEFAULT_PRIORITY,
            Integer.MAX_VALUE,
            0,
            speculative),
        this);
    return id;
  }

  /** A node starts, or restarts after a failure; its work is lost. */
  void start(int node) {
    Machines kind = machines[node];
    AgentHello hello =
        new AgentHello(
            agents[node],
            new NodeId(agents[node].value()),
            agents[node].value(),
            "",
            kind.platform(),
            Math.max(1, kind.slots()),
            ++incarnations[node],
            List.of());
    boolean unlimited = amounts && kind.slots() == 0;
    scheduler.onHello(nowMillis, unlimited ? hello.withoutSlotLimit() : hello, this);
  }

  /** A node leaves for a while; its work is lost. */
  void leave(int node) {
    start(node);
    scheduler.onDrain(nowMillis, agents[node], true, this);
    scheduler.onDisconnect(nowMillis, agents[node], this);
  }

  /** A free node asks for work. */
  void request(int node) {
    scheduler.dispatchTo(nowMillis, agents[node], this);
  }

  /** All nodes get as much work as fits. */
  void dispatch() {
    scheduler.dispatch(nowMillis, this);
  }

  void succeeded(int node, Lease lease, int minutes) {
    report(node, lease, AttemptOutcome.SUCCEEDED, minutes);
  }

  private void report(int node, Lease lease, AttemptOutcome outcome, int minutes) {
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
    orders.begin(index(agent), lease, attempt, granted);
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    int node = index(agent);
    if (orders.stop(node, lease)) {
      report(node, lease, AttemptOutcome.STOPPED, 0);
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
