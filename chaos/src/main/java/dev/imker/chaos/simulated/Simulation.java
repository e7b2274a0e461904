package dev.imker.chaos.simulated;

import dev.imker.server.loop.StrategySetting;
import dev.imker.store.StoreException;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One pool from its start to its rest, as a plan says. */
final class Simulation {
  /** Makes the store of a server; tests make ones that are wrong. */
  @FunctionalInterface
  interface Stores {
    Stores RIGHT = SimStore::new;

    SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults);
  }

  /** How much has happened, and a number that differs if anything of it does. */
  record Outcome(int events, long fingerprint) {}

  private static final double BEAT_MILLIS = 400;
  private static final double LEADER_AWAY_MILLIS = 1_500;

  private static final double LOOK_MILLIS = 250;

  /** Everything is to be over so long after the last fault. */
  private static final double REST_MILLIS = 180_000;

  private final Plan plan;
  private final World world;
  private final SimDisk disk;
  private final Stores stores;
  private final Promises promises;
  private final Network network = new Network();
  private final @Nullable ServerProcess[] servers;
  private final boolean[] starting;
  private final List<SimAgent> agents = new ArrayList<>();
  private final Clients clients;
  private int chosen;
  private long chosenSeenNanos;
  private int ordersLeft;
  private boolean calm;

  private Simulation(Plan plan, Stores stores, LogWatch log) {
    this.plan = plan;
    this.stores = stores;
    world = new World(plan.seed() ^ 0x5DEECE66DL);
    disk = new SimDisk(plan.seed());
    new SimStore(disk, false, SimStore.Faults.NONE)
        .putSetting(StrategySetting.KEY, plan.strategy());
    log.forget();
    promises = new Promises(disk, log);
    clients = new Clients(world, promises, this);
    servers = new ServerProcess[plan.servers()];
    starting = new boolean[plan.servers()];
  }

  /**
   * Runs a plan to its end.
   *
   * @return what became of it
   * @throws BrokenPromise if the pool did not keep its promises
   */
  static Outcome run(Plan plan, Stores stores, LogWatch log) {
    return new Simulation(plan, stores, log).run();
  }

  private Outcome run() {
    for (int i = 0; i < servers.length; i++) {
      start(i);
    }
    for (int i = 0; i < plan.agents(); i++) {
      agents.add(new SimAgent(i, world, promises, this));
    }
    beat();
    ordersLeft = plan.orders().size();
    for (int i = 0; i < plan.orders().size(); i++) {
      Plan.Order order = plan.orders().get(i);
      String key = "order-" + i;
      world.in(
          order.atMillis(),
          () -> {
            ordersLeft--;
            clients.order(order, key);
          });
    }
    plan.faults().forEach(fault -> world.in(fault.atMillis(), () -> strike(fault)));
    for (double gone = 0; gone < plan.calmMillis() && !isAtRest(); gone += LOOK_MILLIS) {
      world.pass(LOOK_MILLIS);
    }
    endFaults();
    rest();
    hasCrashed(true);
    return new Outcome(world.events(), world.fingerprint());
  }

  private void rest() {
    for (double gone = 0; gone < REST_MILLIS; gone += LOOK_MILLIS) {
      if (isAtRest()) {
        return;
      }
      world.pass(LOOK_MILLIS);
    }
    throw new BrokenPromise(
        "the pool does not come to rest: %d calls unanswered%n%s%n%s%n%s"
            .formatted(clients.waiting(), promises.unfinished(), agents, servers()));
  }

  private String servers() {
    StringBuilder text = new StringBuilder();
    for (ServerProcess server : servers) {
      text.append(
          server == null
              ? "none "
              : "[%s alive=%s leads=%s %s] "
                  .formatted(
                      server.number(),
                      server.isAlive(),
                      server.loop().isLeading(),
                      server.loop().health()));
    }
    return text + "chosen " + chosen;
  }

  private boolean isAtRest() {
    return clients.waiting() == 0
        && ordersLeft == 0
        && agents.stream().allMatch(SimAgent::isIdle)
        && promises.isFinished();
  }

  // ---------------------------------------------------------------- servers

  SimStore open(SimStore.Faults faults) {
    return stores.open(disk, plan.shared(), faults);
  }

  Network network() {
    return network;
  }

  private void start(int number) {
    ServerProcess present = servers[number];
    if (starting[number] || (present != null && present.isAlive())) {
      return;
    }
    starting[number] = true;
    try {
      servers[number] = new ServerProcess(number, world, promises, this, !plan.shared());
    } catch (Crash | StoreException e) {
      world.in(world.between(200, 1_000), () -> start(number));
    } finally {
      starting[number] = false;
    }
  }

  /** What members of a pool do for each other: who leads, and who has to be started again. */
  private void beat() {
    world.in(BEAT_MILLIS, this::beat);
    for (int i = 0; i < servers.length; i++) {
      ServerProcess server = servers[i];
      if (server != null && !server.isAlive() && !starting[i]) {
        int number = i;
        servers[i] = null;
        world.in(world.between(50, calm ? 500 : 4_000), () -> start(number));
      }
    }
    if (plan.shared()) {
      elect();
    }
  }

  private static boolean isUp(@Nullable ServerProcess server) {
    return server != null && server.isAlive() && !server.isStill();
  }

  private void elect() {
    ServerProcess leader = servers[chosen];
    if (isUp(leader)) {
      chosenSeenNanos = world.nanos();
    } else if ((world.nanos() - chosenSeenNanos) / 1e6 > LEADER_AWAY_MILLIS) {
      chooseOther();
    }
    for (int i = 0; i < servers.length; i++) {
      ServerProcess server = servers[i];
      if (server == null || !isUp(server)) {
        continue;
      }
      if (i == chosen && !server.loop().isLeading()) {
        server.loop().lead();
      } else if (i != chosen && server.loop().isLeading() && world.oneIn(4)) {
        server.loop().follow(); // whoever was replaced hears of it sooner or later
      } else if (i != chosen && !server.loop().isLeading() && !world.oneIn(3)) {
        server.followOn(); // at times too late: turns are missing then
      }
      server.wake(0.5);
    }
  }

  private void chooseOther() {
    int next = (chosen + 1 + world.random.nextInt(servers.length)) % servers.length;
    if (isUp(servers[next])) {
      chosen = next;
      chosenSeenNanos = world.nanos();
    }
  }

  /** Whether nothing goes wrong any more. */
  boolean isCalm() {
    return calm;
  }

  /** Somebody that may lead: mostly it does. */
  @Nullable ServerProcess anyServer() {
    ServerProcess leader = servers[chosen];
    if (leader != null && leader.isAlive() && !world.oneIn(4)) {
      return leader;
    }
    ServerProcess other = servers[world.random.nextInt(servers.length)];
    return other != null && other.isAlive() ? other : null;
  }

  // ---------------------------------------------------------------- faults

  private void strike(Plan.Fault fault) {
    ServerProcess server = servers[fault.whom() % servers.length];
    SimAgent agent = agents.get(fault.whom() % agents.size());
    switch (fault.kind()) {
      case SERVER_CRASH -> {
        if (server != null && server.isAlive()) {
          server.crash();
          hasCrashed(false);
        }
      }
      case POWER_LOSS -> {
        for (ServerProcess each : servers) {
          if (each != null && each.isAlive()) {
            each.crash();
          }
        }
        hasCrashed(true);
      }
      case SERVER_STANDS_STILL -> {
        if (server != null) {
          server.standStill(fault.forMillis());
        }
      }
      case AGENT_CRASH -> agent.crash(fault.forMillis());
      case AGENT_STANDS_STILL -> agent.standStill(fault.forMillis());
      case CONNECTION_BREAKS -> agent.breakConnection(fault.how() % 10);
      case PARTITION -> {
        long until = world.nanos() + (long) (fault.forMillis() * 1_000_000);
        int to = fault.how() % (servers.length + 1);
        for (int i = 0; i < servers.length; i++) {
          if (to == servers.length || to == i) {
            network.part(agent.number, i, until);
          }
        }
      }
      case CLOCK_JUMPS -> {
        if (server != null) {
          server.jump((fault.how() % 2 == 0 ? 1 : -1) * 60 * fault.forMillis());
        }
      }
      case DEPOSED -> chooseOther();
      case STORE_FAILS, STORE_UNSURE, STORE_CRASH, STORE_SLOW -> {
        if (server != null) {
          server.arm(fault);
        }
      }
    }
  }

  /**
   * @param powerLost whether what was not synced may be gone
   */
  void hasCrashed(boolean powerLost) {
    disk.dropUnwritten();
    if (powerLost) {
      disk.dropUnsynced();
    }
    promises.reload();
  }

  private void endFaults() {
    calm = true;
    agents.forEach(SimAgent::calm);
    for (ServerProcess server : servers) {
      if (server != null) {
        server.disarm();
      }
    }
  }
}
