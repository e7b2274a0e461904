package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentGroup;
import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.agents.Machine;
import dev.imker.core.internal.agents.Reservation;
import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.message.AgentHello;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Stock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps large tasks from being starved by small ones (EASY backfill). When the first in line fits
 * nowhere, the machine where it can begin soonest is kept for it; others run there only if they are
 * expected to end before, or leave it what it needs. What ran there before it was reserved may put
 * the time off; what has begun since may not, so that it ends as soon as both have.
 *
 * <p>Looking for a machine costs as much as there are machines, up to {@value #MAX_SEARCHED}, and
 * is done once in as many looks at machines as there are.
 */
public final class Reservations {
  private static final int MAX = 16;

  /** Of how many agents that match, at most, the one is taken where a task can begin soonest. */
  private static final int MAX_SEARCHED = 512;

  private final AgentTable agents;
  private final List<Reservation> active = new ArrayList<>();
  private final BitSet spare = new BitSet();
  private @Nullable ProjectQueues keeper;
  private int keptClass;
  private int looksSinceSearch;
  private int searches;
  private boolean gangWaits;

  public Reservations(AgentTable agents) {
    this.agents = agents;
  }

  public List<Reservation> active() {
    return active;
  }

  /**
   * Whether the first in line is to be found for a machine on which not all can begin, so that a
   * machine is kept for it if it fits nowhere: always in small pools, now and then in large ones.
   */
  boolean isDue() {
    return areFewMachines() || ++looksSinceSearch >= agents.machines().size();
  }

  /** Whether the pool is so small that the first in line is looked for on every machine. */
  boolean areFewMachines() {
    return agents.machines().size() <= agents.fewMachines();
  }

  /** The first in line cannot begin on the machine that was looked at. */
  void blocked(long nowMillis, ProjectQueues project, int number) {
    looksSinceSearch = 0;
    for (Reservation one : active) {
      if (one.project() == project && one.requirementClass() == number) {
        return;
      }
    }
    if (!gangWaits && active.size() < Math.min(MAX, agents.machines().size())) {
      search(nowMillis, project, number);
    }
  }

  private void search(long nowMillis, ProjectQueues project, int number) {
    Demand[] demands = agents.classes().demands(number);
    Reservation best = null;
    long soonest = Long.MAX_VALUE;
    int step = 1 + agents.matching(number) / MAX_SEARCHED;
    int matching = searches++; // so that the next one looks at others
    for (AgentSlots agent : agents.all()) {
      AgentGroup group = agent.group;
      AgentHello hello = agent.hello;
      if (group == null
          || hello == null
          || !group.classes().get(number)
          || matching++ % step != 0
          || !agent.isServing()
          || agent.machine().reservation != null
          || !agent.offer().serves(project.profile())) {
        continue;
      }
      for (int i = 0; i < demands.length; i++) {
        if ((demands.length == 1 || agents.classes().matches(number, i, hello))
            && (!demands[i].isShared(agents.pool()) || mayKeep(project, number))) {
          Reservation one =
              new Reservation(agent.machine(), project, number, demands[i], 1, nowMillis);
          long start = startMillis(one, nowMillis);
          if (start <= nowMillis) {
            if (!agents.pool().fitsShared(demands[i])) {
              keep(project, number, demands[i]);
            }
            return; // it begins there as soon as that machine is looked at
          }
          if (best == null || start < soonest) {
            best = one;
            soonest = start;
          }
        }
      }
    }
    if (best != null) {
      if (best.demand().isShared(agents.pool())) {
        keep(project, number, best.demand());
      }
      add(best);
    }
  }

  /**
   * What exists once for all machines is kept for one task at a time, and only that one gets a
   * machine as well: two of them could wait for each other for ever.
   */
  private boolean mayKeep(ProjectQueues project, int number) {
    return keeper == null || (keeper == project && keptClass == number);
  }

  private void keep(ProjectQueues project, int number, Demand demand) {
    keeper = project;
    keptClass = number;
    agents.pool().keep(demand);
  }

  /** Whether a gang waits for machines to be kept for it: then nobody else gets any. */
  void gangWaits(boolean on) {
    gangWaits = on;
  }

  void add(Reservation reservation) {
    active.add(reservation);
    reservation.machine().reservation = reservation;
  }

  void remove(Reservation reservation) {
    if (active.remove(reservation)) {
      reservation.machine().reservation = null;
      reservation.machine().agents().forEach(agents::freed);
    }
  }

  /** Drops what is not needed any more, or cannot be had. */
  void tidy() {
    if (keeper != null
        && (keeper.isEmpty(keptClass) || keeper.user().isFull() || !agents.pool().isKept())) {
      keeper = null;
      agents.pool().keep(null);
      agents.unpark();
    }
    for (Reservation one : List.copyOf(active)) {
      if (one.machine().agents().stream().noneMatch(AgentSlots::isServing) || isIdle(one)) {
        remove(one);
      }
    }
  }

  /** Whether no task waits for it, or may have it; gangs look after theirs. */
  private boolean isIdle(Reservation one) {
    ProjectQueues project = one.project();
    return project != null
        && (project.isEmpty(one.requirementClass())
            || project.user().isFull()
            || (one.demand().isShared(agents.pool())
                && (keeper != project || keptClass != one.requirementClass())));
  }

  /** When the tasks can begin by what is known of run times. */
  public long startMillis(Reservation reservation, long nowMillis) {
    Stock free = reservation.machine().stock().copy();
    List<LiveAttempt> before = new ArrayList<>();
    for (LiveAttempt attempt : reservation.machine().attempts()) {
      if (attempt.startedMillis > reservation.madeMillis()) {
        free.giveBackOwn(attempt.grant);
      } else {
        before.add(attempt);
      }
    }
    before.sort(Comparator.comparingLong(attempt -> attempt.expectedEndMillis(nowMillis)));
    long start = nowMillis;
    for (int i = 0; !hasRoom(free, before.size() - i, reservation); i++) {
      if (i == before.size()) {
        return Long.MAX_VALUE;
      }
      start = Math.max(nowMillis + 1, before.get(i).expectedEndMillis(nowMillis));
      free.giveBackOwn(before.get(i).grant);
    }
    return start;
  }

  /** How many tasks of a demand a machine could run at most, up to so many. */
  int most(Machine machine, Demand demand, int count) {
    Stock empty = machine.stock().copy();
    machine.attempts().forEach(attempt -> empty.giveBackOwn(attempt.grant));
    int most = 0;
    while (most < Math.min(count, machine.slots()) && empty.takeTimes(demand, 1, agents.pool())) {
      most++;
    }
    return most;
  }

  private boolean hasRoom(Stock free, int running, Reservation reservation) {
    return running + reservation.count() <= reservation.machine().slots()
        && free.fitsTimes(reservation.demand(), reservation.count(), agents.pool());
  }

  /**
   * The classes of which a task could begin beside a reservation, however long it runs; valid until
   * the next call.
   *
   * @param start when the reservation is due
   */
  BitSet spare(
      Reservation reservation, long start, AgentGroup group, AgentSlots agent, long nowMillis) {
    spare.clear();
    Stock left = reservation.machine().stock().copy();
    int running = reservation.count();
    for (LiveAttempt attempt : reservation.machine().attempts()) {
      if (attempt.expectedEndMillis(nowMillis) <= start) {
        left.giveBackOwn(attempt.grant);
      } else {
        running++;
      }
    }
    if (running >= reservation.machine().slots()
        || !left.takeTimes(reservation.demand(), reservation.count(), agents.pool())) {
      return spare;
    }
    BitSet now = group.fitNow(agent);
    for (int number = now.nextSetBit(0); number >= 0; number = now.nextSetBit(number + 1)) {
      Demand[] demands = agents.classes().demands(number);
      int variant = group.variant(number, agent);
      spare.set(number, variant >= 0 && left.fitsOwn(demands[variant], agents.pool()));
    }
    return spare;
  }

  /** Whether a task of a project is expected to end by then. */
  static boolean endsBefore(long start, AgentSlots agent, ProjectQueues project, long nowMillis) {
    double expected = agent.meanMillis(project.index());
    if (expected < 0 && project.profile().isRunTimeKnown()) {
      expected = project.profile().runMillis();
    }
    return expected >= 0 && nowMillis + expected <= start;
  }
}
