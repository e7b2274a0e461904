package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.agents.Machine;
import dev.imker.core.internal.agents.Reservation;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.matching.Placement;
import dev.imker.core.message.AgentHello;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Grant;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Stages whose tasks start together, or not at all. Their READY tasks are queued under a class that
 * fits no agent, so that nothing hands them out one by one; here they are handed out as soon as
 * there is room for all. Other work fills the machines meanwhile, until a gang has waited for long:
 * then those that have room for it soonest are kept for it, one gang after the other. A task that
 * comes back later starts again alone. Costs as much as there are agents for every gang that waits,
 * and nothing without one.
 */
public final class Gangs {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final EnumSet<TaskState> HELD_UP =
      EnumSet.of(TaskState.WAITING, TaskState.BLOCKED, TaskState.AUTO_BLOCKED);

  private static final class Gang {
    final TaskArray job;
    final StageTasks stage;
    long completeSinceMillis = -1;
    final List<Reservation> kept = new ArrayList<>();

    Gang(TaskArray job, StageTasks stage) {
      this.job = job;
      this.stage = stage;
    }

    Placement placement() {
      return Placement.own(stage.header());
    }

    long stamp() {
      return Objects.requireNonNull(stage.firstRange()).stamp;
    }

    /** Whether tasks are READY, and none of the others is on its way there. */
    boolean isComplete() {
      return stage.firstRange() != null && job.next(stage.first, HELD_UP) >= stage.end;
    }
  }

  /** A task of a gang, and what an agent has taken for it. */
  private record Place(AgentSlots agent, Grant grant) {}

  private final List<Gang> gangs = new ArrayList<>();
  private final Reservations reservations;

  public Gangs(Reservations reservations) {
    this.reservations = reservations;
  }

  public void add(TaskArray job) {
    for (StageTasks stage : job.stages()) {
      if (stage.header().isGang()) {
        gangs.add(new Gang(job, stage));
      }
    }
  }

  public void remove(TaskArray job) {
    for (Gang gang : gangs) {
      if (gang.job == job) {
        release(gang);
      }
    }
    gangs.removeIf(gang -> gang.job == job);
  }

  private void release(Gang gang) {
    gang.kept.forEach(reservations::remove);
    gang.kept.clear();
  }

  /** Gives a task to an agent that has taken what it needs. */
  interface Assignment {
    void assign(AgentSlots agent, TaskArray job, int task, Grant grant);
  }

  void serve(long nowMillis, ReadyWork ready, AgentTable agents, Assignment assignment) {
    if (gangs.isEmpty()) {
      reservations.gangWaits(false);
      return;
    }
    boolean waits = false;
    for (Gang gang : waiting(nowMillis)) {
      if (!reservations.active().containsAll(gang.kept)) {
        release(gang); // a machine that was kept for it is gone
      }
      List<Integer> tasks = readyTasks(gang.stage);
      if (!gang.job.user().hasRoomFor(tasks.size())) {
        release(gang); // machines would be kept in vain, for ever if it is above the quota
        continue;
      }
      List<AgentSlots> fitting = fitting(gang, agents);
      List<Place> places = take(gang, tasks.size(), fitting, agents);
      if (!places.isEmpty()) {
        start(gang, tasks, places, ready, assignment);
      } else if (nowMillis - gang.completeSinceMillis >= PATIENCE_MILLIS && mayReserve(gang)) {
        waits |= !reserve(nowMillis, gang, tasks.size(), fitting, agents);
      }
    }
    reservations.gangWaits(waits);
  }

  /** Machines are kept for one gang at a time. */
  private boolean mayReserve(Gang gang) {
    for (Gang other : gangs) {
      if (!other.kept.isEmpty()) {
        return false;
      }
    }
    return gang.kept.isEmpty();
  }

  /** Takes what all tasks of a gang ask for, one each in turn; nothing if it is not enough. */
  private static List<Place> take(
      Gang gang, int count, List<AgentSlots> fitting, AgentTable agents) {
    int number = gang.stage.gangClass;
    List<Place> places = new ArrayList<>();
    int[] given = new int[fitting.size()];
    boolean any = true;
    while (any && places.size() < count) {
      any = false;
      for (int i = 0; i < given.length && places.size() < count; i++) {
        AgentSlots agent = fitting.get(i);
        int variant = mayTake(gang, agent, given[i]) ? variant(number, agent, agents) : -1;
        if (variant >= 0) {
          Grant grant = agent.take(agents.classes().demands(number)[variant], variant);
          places.add(new Place(agent, grant));
          given[i]++;
          any = true;
        }
      }
    }
    if (places.size() < count) {
      for (Place place : places) {
        place.agent.putBack(place.grant);
        agents.place(place.agent); // a core may have gone to one that was sent ahead
      }
      return List.of();
    }
    return places;
  }

  private static boolean mayTake(Gang gang, AgentSlots agent, int given) {
    Reservation kept = agent.machine().reservation;
    return agent.hasSlots(given + 1) && (kept == null || gang.kept.contains(kept));
  }

  private static int variant(int number, AgentSlots agent, AgentTable agents) {
    Demand[] demands = agents.classes().demands(number);
    AgentHello hello = Objects.requireNonNull(agent.hello);
    for (int i = 0; i < demands.length; i++) {
      if (agent.fits(demands[i]) && agents.classes().matches(number, i, hello)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Keeps machines for a gang that has waited for long: those that have room for it soonest.
   * Returns false if it takes some that are kept for others now.
   */
  private boolean reserve(
      long nowMillis, Gang gang, int count, List<AgentSlots> fitting, AgentTable agents) {
    int number = gang.stage.gangClass;
    record Option(Reservation reservation, long startMillis) {}
    List<Option> options = new ArrayList<>();
    Set<Machine> seen = new HashSet<>();
    int keptForOthers = 0;
    for (AgentSlots agent : fitting) {
      Machine machine = agent.machine();
      Demand demand = agents.classes().demands(number)[0];
      int most = seen.add(machine) ? reservations.most(machine, demand, count) : 0;
      if (machine.reservation != null) {
        keptForOthers += most;
      } else if (most > 0) {
        Reservation one = new Reservation(machine, null, number, demand, most, nowMillis);
        options.add(new Option(one, reservations.startMillis(one, nowMillis)));
      }
    }
    options.sort(Comparator.comparingLong(Option::startMillis));
    int left = count;
    List<Reservation> chosen = new ArrayList<>();
    for (Option option : options) {
      if (left > 0) {
        Reservation one = option.reservation();
        chosen.add(one.withCount(Math.min(left, one.count())));
        left -= one.count();
      }
    }
    if (left > 0) {
      return left > keptForOthers;
    }
    chosen.forEach(reservations::add);
    gang.kept.addAll(chosen);
    return true;
  }

  /** Gangs that could start, by priority and then by age. */
  private List<Gang> waiting(long nowMillis) {
    List<Gang> waiting = new ArrayList<>();
    for (Gang gang : gangs) {
      if (!gang.isComplete()) {
        gang.completeSinceMillis = -1;
        release(gang);
      } else {
        gang.completeSinceMillis =
            gang.completeSinceMillis < 0 ? nowMillis : gang.completeSinceMillis;
        waiting.add(gang);
      }
    }
    waiting.sort(
        Comparator.comparingInt((Gang gang) -> -gang.job.priority())
            .thenComparingLong(Gang::stamp));
    return waiting;
  }

  private static List<Integer> readyTasks(StageTasks stage) {
    List<Integer> tasks = new ArrayList<>();
    for (ReadyRange range = stage.firstRange(); range != null; range = range.afterInStage) {
      for (int i = range.from; i < range.toExclusive; i++) {
        tasks.add(i);
      }
    }
    return tasks;
  }

  private static List<AgentSlots> fitting(Gang gang, AgentTable agents) {
    Placement placement = gang.placement();
    List<AgentSlots> fitting = new ArrayList<>();
    for (AgentSlots agent : agents.all()) {
      AgentHello hello = agent.hello;
      if (hello != null
          && agent.isServing()
          && placement.matches(hello, agents.pool())
          && agent.offer().serves(gang.job.project())) {
        fitting.add(agent);
      }
    }
    return fitting;
  }

  private void start(
      Gang gang, List<Integer> tasks, List<Place> places, ReadyWork ready, Assignment assignment) {
    gang.completeSinceMillis = -1;
    release(gang);
    ready.remove(gang.job, gang.stage.first, gang.stage.end);
    for (int i = 0; i < tasks.size(); i++) {
      Place place = places.get(i);
      assignment.assign(place.agent, gang.job, tasks.get(i), place.grant);
    }
  }
}
