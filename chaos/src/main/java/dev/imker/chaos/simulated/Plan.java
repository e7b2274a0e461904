package dev.imker.chaos.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What happens in a simulation: all of it follows from the seed, and parts can be left out to find
 * those that matter.
 *
 * @param shared several servers at one database; otherwise one with a database of its own
 * @param calmMillis when the last fault ends
 */
record Plan(
    long seed,
    boolean shared,
    int servers,
    int agents,
    String strategy,
    double calmMillis,
    List<Order> orders,
    List<Fault> faults) {
  enum Want {
    ONE,
    SWEEP,
    FAILING,
    GRAPH,
    COPIES,
    QUORUM,
    GANG,
    RESTART,
    ROLLBACK,
    ABORT,
    SPAWN,
    CHECKPOINT,
    CANCEL,
    RETRY,
    HOLD,
    PRIORITY,
    LIMIT,
    REMOVE,
    IMPORT,
    RETENTION
  }

  /** What goes wrong. */
  enum Kind {
    SERVER_CRASH,
    POWER_LOSS,
    SERVER_STANDS_STILL,
    AGENT_CRASH,
    AGENT_STANDS_STILL,
    CONNECTION_BREAKS,
    PARTITION,
    CLOCK_JUMPS,
    DEPOSED,
    STORE_FAILS,
    STORE_UNSURE,
    STORE_CRASH,
    STORE_SLOW
  }

  record Order(double atMillis, Want want, int size, int target) {
    @Override
    public String toString() {
      return "%.0f ms: %s size %d target %d".formatted(atMillis, want, size, target);
    }
  }

  /**
   * @param whom number of a server or agent, taken modulo
   * @param how a number that decides the rest
   */
  record Fault(double atMillis, Kind kind, int whom, double forMillis, int how) {
    @Override
    public String toString() {
      return "%.0f ms: %s of %d for %.0f ms (%d)".formatted(atMillis, kind, whom, forMillis, how);
    }
  }

  private static final double MIN_CALM_MILLIS = 3_000;
  private static final double MAX_CALM_MILLIS = 20_000;
  private static final List<String> STRATEGIES =
      List.of("survival", "round-robin", "balanced", "local-queue", "central-queue");
  private static final int MAX_ORDERS = 10;
  private static final int MAX_FAULTS = 14;

  public static Plan of(long seed) {
    Random random = new Random(seed);
    random.nextLong();
    boolean shared = random.nextInt(3) > 0;
    int servers = shared ? 2 + random.nextInt(2) : 1;
    int agents = 2 + random.nextInt(3); // a quorum needs two
    String strategy = STRATEGIES.get(random.nextInt(STRATEGIES.size()));
    double calm = MIN_CALM_MILLIS + random.nextDouble() * (MAX_CALM_MILLIS - MIN_CALM_MILLIS);
    List<Order> orders = new ArrayList<>();
    int wanted = 1 + random.nextInt(MAX_ORDERS);
    for (int i = 0; i < wanted; i++) {
      Want[] wants = Want.values();
      int bound = i == 0 ? Want.CANCEL.ordinal() : wants.length;
      orders.add(
          new Order(
              random.nextDouble() * calm * 0.7,
              wants[random.nextInt(bound)],
              1 + random.nextInt(6),
              random.nextInt(100)));
    }
    List<Fault> faults = new ArrayList<>();
    int bad = random.nextInt(MAX_FAULTS);
    for (int i = 0; i < bad; i++) {
      faults.add(
          new Fault(
              random.nextDouble() * calm,
              Kind.values()[random.nextInt(Kind.values().length)],
              random.nextInt(12),
              Math.pow(10, 1 + random.nextDouble() * 3.4),
              random.nextInt(1_000)));
    }
    return new Plan(seed, shared, servers, agents, strategy, calm, orders, faults);
  }

  Plan withOrders(List<Order> fewer) {
    return new Plan(seed, shared, servers, agents, strategy, calmMillis, fewer, faults);
  }

  Plan withFaults(List<Fault> fewer) {
    return new Plan(seed, shared, servers, agents, strategy, calmMillis, orders, fewer);
  }

  String describe() {
    StringBuilder text = new StringBuilder();
    text.append(
        "seed %d: %s, %d agents, strategy %s%n"
            .formatted(
                seed,
                shared ? servers + " servers" : "one server with its own disk",
                agents,
                strategy));
    orders.forEach(order -> text.append("  order ").append(order).append('\n'));
    faults.forEach(fault -> text.append("  fault ").append(fault).append('\n'));
    return text.toString();
  }
}
