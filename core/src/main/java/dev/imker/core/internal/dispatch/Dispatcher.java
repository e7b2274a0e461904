package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentGroup;
import dev.imker.core.internal.agents.AgentList;
import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.agents.Reservation;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.queues.Ageing;
import dev.imker.core.internal.queues.Candidates;
import dev.imker.core.internal.queues.FairShare;
import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.internal.queues.ReadyQueue;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.queues.UserPriorities;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.Grant;
import dev.imker.core.strategy.Strategy;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.random.RandomGenerator;

/**
 * Hands out READY tasks: first to agents with a free slot, one each in turn, then work in advance
 * to those whose tasks are short. The strategy chooses among the projects of the users whose turn
 * it is; the queue of the project determines the task. The cost of a decision grows only with the
 * number of projects with work.
 */
public final class Dispatcher {
  /** How many free slots may be offered copies in one go; the others are next. */
  private static final int MAX_COPY_OFFERS = 256;

  private final SchedulerSettings settings;
  private final ReadyWork ready;
  private final Gangs gangs;
  private final Reservations reservations;
  private final AgentTable agents;
  private final Attempts attempts;
  private final PoolProfile pool;
  private final SlotOffer offer;
  private final NextTask nextTask;
  private final CopyOffer copies;
  private final DecisionLog decisions;
  private final Migration migration;
  private final Candidates shortOnes = new Candidates();
  private final Candidates wanted = new Candidates();
  private final Candidates beside = new Candidates();
  private final Candidates waiting = new Candidates();
  private BitSet fitsNow = new BitSet();
  private BitSet classes = new BitSet();
  private final FairShare fairShare = new FairShare();
  private final UserPriorities priorities = new UserPriorities();
  private final Ageing ageing = new Ageing();
  private Strategy strategy;
  private String strategyName;
  private DecisionLog.Way way = DecisionLog.Way.CHOSEN;
  private int chosen = Strategy.NONE;
  private boolean ahead;
  private long nowMillis;
  private int copyOffers;

  public Dispatcher(
      SchedulerSettings settings,
      ReadyWork ready,
      Gangs gangs,
      Reservations reservations,
      AgentTable agents,
      Attempts attempts,
      PoolProfile pool,
      Strategy strategy,
      RandomGenerator random,
      DecisionLog decisions) {
    this.settings = settings;
    this.ready = ready;
    this.gangs = gangs;
    this.reservations = reservations;
    this.agents = agents;
    this.attempts = attempts;
    this.pool = pool;
    this.strategy = strategy;
    this.strategyName = strategy.name();
    this.decisions = decisions;
    this.offer = new SlotOffer(pool, random);
    this.nextTask = new NextTask(agents);
    this.copies = new CopyOffer(attempts.copyable(), pool);
    this.migration = new Migration(agents);
    strategy.attach(pool);
    agents.queuePerSlot(strategy.queuePerSlot());
  }

  public void strategy(Strategy next) {
    strategy.detach(pool);
    strategy = next;
    strategyName = next.name();
    next.attach(pool);
    agents.queuePerSlot(next.queuePerSlot());
  }

  public Strategy strategy() {
    return strategy;
  }

  public void dispatch(long atMillis, Outbox out) {
    begin(atMillis);
    reservations.tidy();
    gangs.serve(
        nowMillis,
        ready,
        agents,
        (slots, job, task, grant) -> {
          decide(DecisionLog.Way.GANG, Strategy.NONE);
          note(slots);
          assign(slots, job, task, grant, out);
        });
    List<AgentGroup> groups = agents.groups();
    if (ready.total() > 0 && strategy.serving() == Strategy.Serving.FEWEST_TASKS) {
      serveLeastBusy(groups, out);
    }
    if (ready.total() > 0 || hasRunningToOffer()) {
      for (int i = 0; i < groups.size(); i++) {
        serveIdle(groups.get(i), out);
      }
    }
    for (int i = 0; i < groups.size() && ready.total() > 0; i++) {
      serveHungry(groups.get(i), out);
    }
    if (agents.queuePerSlot() == 0) {
      migration.recallStranded(nowMillis, out);
    } else if (ready.total() == 0) {
      migration.migrate(nowMillis, out);
    }
  }

  /** Gives each task to the agent that has the fewest then. */
  private void serveLeastBusy(List<AgentGroup> groups, Outbox out) {
    Queue<AgentSlots> byTasks =
        new PriorityQueue<>(
            Comparator.comparingInt(AgentSlots::held)
                .thenComparingInt(slots -> slots.profile().index()));
    for (AgentGroup group : groups) {
      if (!group.candidates(ready).isEmpty()) {
        group.loosen();
        for (AgentSlots next = group.idle.head(); next != null; next = next.after) {
          byTasks.add(next);
        }
      }
    }
    for (AgentSlots next = byTasks.poll(); next != null; next = byTasks.poll()) {
      AgentGroup group = Objects.requireNonNull(next.group);
      if (!serve(next, group.candidates(ready), out)) {
        group.park(next, hasTooLittle(group, next));
      } else if (next.list == group.idle) {
        byTasks.add(next);
      }
    }
  }

  /** Fills the free slots of one agent only. */
  public void dispatchTo(long atMillis, AgentSlots slots, Outbox out) {
    begin(atMillis);
    AgentGroup group = slots.group;
    while (group != null && slots.isServing() && slots.hasFreeSlot()) {
      if (!serve(slots, group.candidates(ready), out)) {
        return;
      }
    }
  }

  /** Why the agent would get what it would get now. */
  public String explain(long atMillis, AgentSlots slots) {
    begin(atMillis);
    AgentGroup group = slots.group;
    if (group == null || group.candidates(ready).isEmpty()) {
      return "No READY task fits this agent.";
    }
    if (fitNow(slots, group).isEmpty()) {
      return "All READY tasks that fit this agent need more than is free there now.";
    }
    classes = fitsNow;
    offer.to(slots, wantedOf(slots, group.candidates(fitsNow, ready)));
    if (offer.choosable().isEmpty()) {
      return slots.terms().serves().isEmpty()
          ? "Its owner lends this agent only for work other than what is READY."
          : "It is restricted to users and projects that have no READY tasks.";
    }
    Candidates entitled = fairShare.of(offer.all(), pool.nodesUp());
    offer.among(priorities.of(entitled, classes, ready));
    return strategy.explain(offer)
        + others(offer.fitting() - entitled.size(), "their users already use more than their share")
        + others(
            entitled.size() - offer.choosable().size(),
            "their users have more urgent work elsewhere");
  }

  private static String others(int count, String why) {
    return count == 0 ? "" : "; %d more fit, but %s".formatted(count, why);
  }

  private void begin(long atMillis) {
    nowMillis = atMillis;
    offer.at(atMillis);
    copyOffers = 0;
    agents.settle();
  }

  private void serveIdle(AgentGroup group, Outbox out) {
    Candidates all = group.candidates(ready);
    for (AgentSlots next = group.next(); next != null; next = group.next()) {
      if (all.isEmpty() && !mayCopy() && attempts.openVotes().size() == 0) {
        return;
      }
      if (!serve(next, all, out)) {
        group.park(next, hasTooLittle(group, next));
      } else if (next.list == group.idle && strategy.serving() != Strategy.Serving.FIRST_ASKED) {
        group.idle.append(next);
      }
      all = group.candidates(ready);
    }
  }

  /** In small pools all are asked again and again, which finds the first in line its machine. */
  private boolean hasTooLittle(AgentGroup group, AgentSlots slots) {
    return !reservations.areFewMachines()
        && slots.machine().reservation == null
        && !group.inPlay().isEmpty()
        && group.fitNow(slots).isEmpty();
  }

  private boolean serve(AgentSlots slots, Candidates all, Outbox out) {
    return (!all.isEmpty() && serveReady(slots, all, out))
        || serveVote(slots, out)
        || serveCopy(slots, out);
  }

  private boolean serveReady(AgentSlots slots, Candidates all, Outbox out) {
    AgentGroup group = Objects.requireNonNull(slots.group);
    Reservation kept = slots.machine().reservation;
    if (kept != null) {
      return serveBeside(slots, group, kept, out);
    }
    if (fitNow(slots, group).equals(group.inPlay())) {
      return serveFrom(slots, all, group.inPlay(), out);
    }
    // The first in line may not fit now; then a reservation is made, and others fill the gap.
    return (reservations.isDue() && serveFrom(slots, all, group.inPlay(), out))
        || (slots.machine().reservation == null
            && !fitsNow.isEmpty()
            && serveFrom(slots, group.candidates(fitsNow, ready), fitsNow, out));
  }

  /** The classes of which a task could begin at once. */
  private BitSet fitNow(AgentSlots slots, AgentGroup group) {
    fitsNow = group.fitNow(slots);
    return fitsNow;
  }

  /**
   * On a reserved machine: the task with the reservation if it fits, otherwise tasks that do not
   * delay it.
   */
  private boolean serveBeside(AgentSlots slots, AgentGroup group, Reservation kept, Outbox out) {
    ProjectQueues first = kept.project();
    int number = kept.requirementClass();
    ReadyQueue queue = first == null ? null : first.queue(number);
    if (first != null && queue == null) {
      reservations.remove(kept); // it began elsewhere
      return serveReady(slots, group.candidates(ready), out);
    }
    if (first != null
        && queue != null
        && fitNow(slots, group).get(number)
        && slots.offer().serves(first.profile())) {
      ReadyRange range = nextTask.of(slots, queue, nowMillis);
      reservations.remove(kept);
      decide(DecisionLog.Way.KEPT, Strategy.NONE);
      return range != null && assign(slots, range, out);
    }
    long start = reservations.startMillis(kept, nowMillis);
    BitSet spare = reservations.spare(kept, start, group, slots, nowMillis);
    fitNow(slots, group);
    Candidates all = group.candidates(ready);
    beside.clear();
    for (int i = 0; i < all.size(); i++) {
      ProjectQueues project = all.queues(i);
      if (project.fits(spare)
          || (project.fits(fitsNow) && Reservations.endsBefore(start, slots, project, nowMillis))) {
        beside.add(project);
      }
    }
    offer.to(slots, wantedOf(slots, beside));
    if (offer.choosable().isEmpty()) {
      return false;
    }
    offer.among(fairShare.of(offer.all(), pool.nodesUp()));
    decide(DecisionLog.Way.BESIDE, strategy.choose(offer));
    if (chosen == Strategy.NONE) {
      return false;
    }
    ProjectQueues project = offer.choosable().queues(chosen);
    classes = Reservations.endsBefore(start, slots, project, nowMillis) ? fitsNow : spare;
    return serve(slots, project, out);
  }

  /**
   * Serves a task of some classes; those that do not fit now are only noted.
   *
   * @param all the projects that have tasks of these classes
   */
  private boolean serveFrom(AgentSlots slots, Candidates all, BitSet of, Outbox out) {
    classes = of;
    offer.to(slots, wantedOf(slots, all));
    if (offer.choosable().isEmpty()) {
      return false;
    }
    Candidates entitled = fairShare.of(offer.all(), pool.nodesUp());
    int overdue = ageing.overdue(entitled, pool.nodesUp(), ready.grants());
    decide(DecisionLog.Way.OVERDUE, Strategy.NONE);
    if (overdue != Ageing.NONE && serve(slots, entitled.queues(overdue), out)) {
      return true;
    }
    DecisionLog.Way usual = ahead ? DecisionLog.Way.AHEAD : DecisionLog.Way.CHOSEN;
    offer.among(priorities.of(entitled, classes, ready));
    if (serveGpus(slots, all, out) || serveChosen(usual, slots, out)) {
      return true;
    }
    // A slot that those whose turn it is do not want is not left empty for it.
    boolean others = offer.choosable().size() < offer.fitting();
    offer.among(offer.all());
    return others && serveChosen(usual, slots, out);
  }

  /**
   * Where GPUs are free, those of the candidates that wait for one come before all others, but not
   * before what is more urgent or has waited too long in their own project.
   */
  private boolean serveGpus(AgentSlots slots, Candidates all, Outbox out) {
    AgentGroup group = Objects.requireNonNull(slots.group);
    if (group.isPlain() || group.withGpus(fitsNow).isEmpty()) {
      return false;
    }
    BitSet before = classes;
    Candidates others = offer.choosable();
    classes = group.withGpus(fitsNow);
    offer.among(
        (others == all ? group.candidates(classes, ready) : others)
            .preferring(classes, before, waiting));
    boolean served = !offer.choosable().isEmpty() && serveChosen(DecisionLog.Way.GPU, slots, out);
    classes = before;
    offer.among(others);
    return served;
  }

  private boolean serveChosen(DecisionLog.Way how, AgentSlots slots, Outbox out) {
    decide(how, strategy.choose(offer));
    return chosen != Strategy.NONE && serve(slots, offer.choosable().queues(chosen), out);
  }

  private boolean serve(AgentSlots slots, ProjectQueues project, Outbox out) {
    ReadyRange range = nextTask.of(slots, project, classes, nowMillis);
    if (range == null) {
      return false;
    }
    if (!fitsNow.get(range.requirementClass)) {
      reservations.blocked(nowMillis, project, range.requirementClass);
      return false;
    }
    return assign(slots, range, out);
  }

  /** Returns false, and changes nothing, if what it needs was just kept for another task. */
  private boolean assign(AgentSlots slots, ReadyRange range, Outbox out) {
    TaskArray job = range.job;
    int number = range.requirementClass;
    Demand[] demands = agents.classes().demands(number);
    int variant = Objects.requireNonNull(slots.group).variant(number, slots);
    if (variant < 0 && !demands[0].isPlain()) {
      return false;
    }
    Grant grant = slots.take(demands[Math.max(0, variant)], Math.max(0, variant));
    note(slots);
    assign(slots, job, ready.take(range), grant, out);
    return true;
  }

  private void decide(DecisionLog.Way how, int position) {
    way = how;
    chosen = position;
  }

  /** Notes what decided; before the task leaves its queue, which changes the candidates. */
  private void note(AgentSlots slots) {
    decisions.begin(nowMillis, way, strategyName, slots, pool.nodesIdle());
    if (chosen != Strategy.NONE) {
      decisions.candidates(strategy, offer, chosen);
    }
  }

  private void assign(AgentSlots slots, TaskArray job, int task, Grant grant, Outbox out) {
    decisions.made(job.id(), task, attempts.assign(nowMillis, slots, job, task, grant, out));
  }

  private boolean mayCopy() {
    return attempts.copyable().size() > 0 && copyOffers < MAX_COPY_OFFERS;
  }

  private boolean serveCopy(AgentSlots slots, Outbox out) {
    if (!mayCopy()) {
      return false;
    }
    copyOffers++;
    int copied = strategy.chooseCopy(copies.to(slots, nowMillis));
    if (copied == Strategy.NONE) {
      return false;
    }
    assignAlso(slots, copies.task(copied), DecisionLog.Way.COPY, out);
    return true;
  }

  private boolean hasRunningToOffer() {
    return attempts.copyable().size() > 0 || attempts.openVotes().size() > 0;
  }

  /** Attempts whose results are compared run at the same time if nodes are free. */
  private boolean serveVote(AgentSlots slots, Outbox out) {
    RunningTask task =
        attempts.openVotes().size() == 0
            ? null
            : copies.to(slots, nowMillis).vote(attempts.openVotes());
    if (task == null) {
      return false;
    }
    assignAlso(slots, task, DecisionLog.Way.VOTE, out);
    return true;
  }

  /** Gives a RUNNING task to another agent as well. */
  private void assignAlso(AgentSlots slots, RunningTask task, DecisionLog.Way how, Outbox out) {
    int number = task.job.requirementClass(task.index);
    int variant = Objects.requireNonNull(slots.group).variant(number, slots);
    Grant grant = slots.take(agents.classes().demands(number)[variant], variant);
    decide(how, Strategy.NONE);
    note(slots);
    assign(slots, task.job, task.index, grant, out);
  }

  private void serveHungry(AgentGroup group, Outbox out) {
    for (AgentSlots next = group.hungry.head(); next != null; next = group.hungry.head()) {
      collectShort(next, group.candidates(ready));
      if (shortOnes.isEmpty() || !group.isPlain() || !serveAhead(next, group, out)) {
        AgentList.leave(next);
      } else if (next.list == group.hungry) {
        group.hungry.append(next);
      }
    }
  }

  /** Tasks that ask for a core and nothing else begin when others end. */
  private boolean serveAhead(AgentSlots slots, AgentGroup group, Outbox out) {
    fitsNow = group.inPlay();
    ahead = true;
    boolean served = serveFrom(slots, shortOnes, group.inPlay(), out);
    ahead = false;
    return served;
  }

  private void collectShort(AgentSlots slots, Candidates all) {
    shortOnes.clear();
    for (int i = 0; i < all.size(); i++) {
      ProjectQueues project = all.queues(i);
      if (slots.fitsPrefetch(slots.meanMillis(project.index()), settings)
          || slots.mayQueue(agents.queuePerSlot())) {
        shortOnes.add(project);
      }
    }
  }

  private Candidates wantedOf(AgentSlots slots, Candidates all) {
    if (!slots.offer().isRestricted()) {
      return all;
    }
    all.choose(slots.offer(), wanted);
    return wanted;
  }
}
