package dev.imker.core.internal.agents;

import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.message.AgentHello;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Grant;
import dev.imker.core.resource.ResourceKinds;
import dev.imker.core.resource.Stock;
import dev.imker.model.Granted;
import dev.imker.model.Platform;
import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the agents of one node share: its amounts and their reservations. */
public final class Machine {
  private final List<AgentSlots> agents = new ArrayList<>();
  private final Stock stock;
  private final Stock pool;

  /** Plain attempts that its agents hold without a core, to begin when others end. */
  private int ahead;

  /** The reservation of its amounts; null while they are for everybody. */
  public @Nullable Reservation reservation;

  Machine(ResourceKinds kinds, Stock pool) {
    this.stock = new Stock(kinds);
    this.pool = pool;
  }

  public List<AgentSlots> agents() {
    return agents;
  }

  public Stock stock() {
    return stock;
  }

  void add(AgentSlots agent) {
    agents.add(agent);
  }

  /** Returns whether it was the last. */
  boolean remove(AgentSlots agent) {
    agents.remove(agent);
    offer();
    return agents.isEmpty();
  }

  /** Counts what its agents say that it has: of each thing the most that one of them says. */
  void offer() {
    int cores = 0;
    long memory = 0;
    long disk = 0;
    Map<String, Resource> others = new HashMap<>();
    for (AgentSlots agent : agents) {
      AgentHello hello = agent.hello;
      if (hello != null) {
        Platform platform = hello.platform();
        cores = Math.max(cores, hello.terms().coresOf(platform.cores()));
        memory = Math.max(memory, platform.memoryBytes());
        disk = Math.max(disk, platform.diskBytes());
        platform.resources().forEach((name, one) -> others.merge(name, one, Machine::larger));
        if (platform.gpus() > 0) {
          others.merge("gpus", gpus(platform.gpus()), Machine::larger);
        }
      }
    }
    stock.has((long) cores * Requirements.HUNDREDTHS, memory, disk, others);
  }

  private static Resource gpus(int count) {
    return Resource.of(IntStream.range(0, count).mapToObj(Integer::toString).toList());
  }

  private static Resource larger(Resource one, Resource other) {
    return other.amount() > one.amount() ? other : one;
  }

  /**
   * Whether the needs of a task can be met now. What agents were given ahead begins first: nobody
   * could say which cores it takes.
   */
  boolean fits(Demand demand, long lentCores) {
    return demand.isPlain()
        ? stock.coresFree() + lentCores >= Requirements.HUNDREDTHS
        : ahead == 0 && stock.fits(demand, lentCores, pool);
  }

  /**
   * @throws IllegalStateException if it does not fit: nothing is handed out twice
   */
  Grant take(Demand demand, int variant, long lentCores) {
    if (!fits(demand, lentCores)) {
      throw new IllegalStateException("more is asked for than is free");
    }
    return stock.take(demand, variant, pool);
  }

  Grant grant(Granted granted) {
    return stock.grant(granted, pool);
  }

  boolean fitsAgain(Grant grant) {
    return stock.fitsAgain(grant, pool);
  }

  void restore(Grant grant) {
    stock.restore(grant, pool);
  }

  void giveBack(Grant grant) {
    stock.giveBack(grant, pool);
  }

  void ahead(int more) {
    ahead += more;
  }

  public int ahead() {
    return ahead;
  }

  /** How many tasks its agents may hold, be there room for them or not. */
  public int slots() {
    long slots = 0;
    for (AgentSlots agent : agents) {
      AgentHello hello = agent.hello;
      if (hello != null) {
        slots += hello.slotsSet() ? agent.slots() : AgentHello.MAX_TASKS;
      }
    }
    return (int) Math.min(slots, Integer.MAX_VALUE);
  }

  /** All attempts that its agents hold. */
  public List<LiveAttempt> attempts() {
    List<LiveAttempt> all = new ArrayList<>();
    agents.forEach(agent -> all.addAll(agent.attempts()));
    return all;
  }
}
