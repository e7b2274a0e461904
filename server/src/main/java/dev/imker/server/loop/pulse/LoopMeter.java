package dev.imker.server.loop.pulse;

import dev.imker.core.message.AgentView;
import dev.imker.model.TaskState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** Figures of the loop. The loop's thread writes them, scrapers read them at any time. */
public final class LoopMeter {
  /** A turn is to take 50 ms at most. */
  private static final Duration[] TURN_BOUNDS = {
    Duration.ofMillis(5), Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofSeconds(5)
  };

  /** So that a pool of ten thousand does not flood whoever scrapes. */
  private static final int MAX_NODES = 500;

  private final MeterRegistry registry;
  private final Timer turns;
  private final Timer commits;
  private final Counter changes;
  private final Counter assignments;
  private final Counter failures;
  private volatile int[] tasksByState = new int[TaskState.values().length];
  private volatile int jobs;
  private volatile int connectedAgents;
  private volatile int slots;
  private volatile Map<String, AgentView> nodes = Map.of();
  private final MultiGauge nodesUp;
  private final MultiGauge nodeSlots;
  private final MultiGauge nodeLeases;

  public LoopMeter(MeterRegistry registry) {
    this.registry = registry;
    turns =
        Timer.builder("imker.loop.turns")
            .description("Turns of the loop")
            .serviceLevelObjectives(TURN_BOUNDS)
            .register(registry);
    commits = Timer.builder("imker.loop.commits").description("Transactions").register(registry);
    changes = Counter.builder("imker.loop.changes").description("Changes").register(registry);
    assignments =
        Counter.builder("imker.tasks.assigned").description("Leases given").register(registry);
    failures =
        Counter.builder("imker.loop.failures")
            .description("Turns that could not be written to the database")
            .register(registry);
    for (TaskState state : TaskState.values()) {
      Gauge.builder("imker.tasks", () -> tasksByState[state.ordinal()])
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .description("Tasks of jobs in memory")
          .register(registry);
    }
    Gauge.builder("imker.jobs", () -> jobs).description("Jobs in memory").register(registry);
    Gauge.builder("imker.agents", () -> connectedAgents)
        .description("Connected agents")
        .register(registry);
    Gauge.builder("imker.slots", () -> slots)
        .description("Slots of connected agents")
        .register(registry);
    nodesUp = byNode("imker.node.up", "1 while the machine's agent is connected");
    nodeSlots = byNode("imker.node.slots", "Slots of the machine");
    nodeLeases = byNode("imker.node.leases", "Tasks on the machine");
  }

  private MultiGauge byNode(String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  public void watchInbox(IntSupplier size) {
    Gauge.builder("imker.loop.inbox", size::getAsInt)
        .description("Commands waiting for the loop")
        .register(registry);
  }

  /** How far what this server knows is behind the one that leads. */
  public void watchFollower(LongSupplier turns, LongSupplier millis) {
    Gauge.builder("imker.standby.behind.turns", turns::getAsLong)
        .description("Number of the leader's turns that a standby read at its last poll")
        .register(registry);
    Gauge.builder("imker.standby.behind.seconds", () -> millis.getAsLong() / 1e3)
        .description("How long a standby's view has lagged behind the database")
        .register(registry);
  }

  public void turn(long nanos) {
    turns.record(nanos, TimeUnit.NANOSECONDS);
  }

  public void commit(long nanos, int changed, int assigned) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
    changes.increment(changed);
    assignments.increment(assigned);
  }

  public void failure() {
    failures.increment();
  }

  public void pool(int[] totals, int jobsInMemory, List<AgentView> agents) {
    tasksByState = totals.clone();
    jobs = jobsInMemory;
    connectedAgents = (int) agents.stream().filter(AgentView::connected).count();
    slots = agents.stream().filter(AgentView::connected).mapToInt(AgentView::slots).sum();
    Map<String, AgentView> known = new TreeMap<>();
    agents.stream()
        .limit(MAX_NODES)
        .forEach(agent -> known.merge(agent.name(), agent, LoopMeter::up));
    boolean changed = !known.keySet().equals(nodes.keySet());
    nodes = known;
    if (changed) {
      nodesUp.register(rows(agent -> agent.connected() ? 1 : 0), true);
      nodeSlots.register(rows(AgentView::slots), true);
      nodeLeases.register(rows(AgentView::held), true);
    }
  }

  /** Machines may have the same name; the one that is there counts. */
  private static AgentView up(AgentView one, AgentView other) {
    return other.connected() ? other : one;
  }

  private List<MultiGauge.Row<?>> rows(ToDoubleFunction<AgentView> figure) {
    return nodes.keySet().stream()
        .<MultiGauge.Row<?>>map(
            name -> MultiGauge.Row.of(Tags.of("node", name), () -> now(name, figure)))
        .toList();
  }

  private double now(String name, ToDoubleFunction<AgentView> figure) {
    AgentView agent = nodes.get(name);
    return agent == null ? Double.NaN : figure.applyAsDouble(agent);
  }
}
