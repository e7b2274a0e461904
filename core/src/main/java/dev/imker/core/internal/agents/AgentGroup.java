package dev.imker.core.internal.agents;

import dev.imker.core.internal.queues.Candidates;
import dev.imker.core.internal.queues.FittingProjects;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.resource.Demand;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Agents whose nodes match the same requirement classes. They share the list of projects that have
 * work for them, so that groups without work cost nothing however many idle agents they have.
 */
public final class AgentGroup {
  private static final int MAX_KEPT = 256;

  private final BitSet classes;
  private final RequirementClasses all;
  private final FittingProjects projects;
  private final BitSet inPlay = new BitSet();
  private final Map<BitSet, FittingProjects> fitting = new HashMap<>();
  private final BitSet fits = new BitSet();
  private final BitSet gpus = new BitSet();
  private boolean plain = true;
  private long version = -1;

  /** Agents with a free slot. */
  public final AgentList idle = new AgentList();

  /** Agents with a free slot for which nothing was found; asked again after a change. */
  public final AgentList parked = new AgentList();

  // Those that have too little left for all that is in play: crammed ones, and loose ones, which
  // may have room for classes that came into play since. Loose ones are asked only while such a
  // class is in play, so that a single task does not cost as much as there are agents.
  private AgentList crammed = new AgentList();
  private AgentList loose = new AgentList();
  private final BitSet fresh = new BitSet();

  /** Agents without a free slot that may get work in advance. */
  public final AgentList hungry = new AgentList();

  /** The number of agents per connection class to which work may be left. */
  private final TreeMap<Long, Integer> lines = new TreeMap<>();

  /** The number of its agents, in a list or not. */
  int members;

  AgentGroup(BitSet classes, RequirementClasses all) {
    this.classes = classes;
    this.all = all;
    projects = new FittingProjects(classes);
  }

  public BitSet classes() {
    return classes;
  }

  /** Projects with READY tasks that fit, in the order of their definition. */
  public Candidates candidates(ReadyWork ready) {
    if (version != ready.version()) {
      version = ready.version();
      idle.appendAll(parked);
      bringIntoPlay(ready.inPlay());
    }
    return projects.in(ready);
  }

  private void bringIntoPlay(BitSet ready) {
    fits.clear();
    fits.or(classes);
    fits.and(ready);
    boolean more = false;
    plain = true;
    for (int number = fits.nextSetBit(0); number >= 0; number = fits.nextSetBit(number + 1)) {
      plain &= all.plain().get(number);
      if (!inPlay.get(number)) {
        fresh.set(number);
        more = true;
      }
    }
    inPlay.clear();
    inPlay.or(fits);
    fresh.and(inPlay);
    if (inPlay.isEmpty()) {
      loosen();
    } else if (more && loose.head() == null) {
      AgentList none = loose;
      loose = crammed;
      crammed = none;
    } else if (more) {
      loose.appendAll(crammed);
    }
  }

  /** The next agent to be asked; null without one. */
  public @Nullable AgentSlots next() {
    AgentSlots next = idle.head();
    if (next == null && !fresh.isEmpty()) {
      next = loose.head();
      while (next != null && !hasRoomForFresh(next)) {
        crammed.append(next);
        next = loose.head();
      }
    }
    return next;
  }

  private boolean hasRoomForFresh(AgentSlots agent) {
    for (int number = fresh.nextSetBit(0); number >= 0; number = fresh.nextSetBit(number + 1)) {
      if (variant(number, agent) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** No work was found for an agent. */
  public void park(AgentSlots agent, boolean hasTooLittle) {
    (hasTooLittle ? crammed : parked).append(agent);
  }

  /** Whether all fitting READY tasks need one core and nothing else. */
  public boolean isPlain() {
    return plain;
  }

  /** The classes that have READY tasks which fit. */
  public BitSet inPlay() {
    return inPlay;
  }

  /**
   * The classes in play of which a task could begin on an agent at once; valid until the next call.
   */
  public BitSet fitNow(AgentSlots agent) {
    if (plain && agent.fits(Demand.ONE_CORE)) {
      return inPlay;
    }
    fits.clear();
    for (int number = inPlay.nextSetBit(0); number >= 0; number = inPlay.nextSetBit(number + 1)) {
      if (variant(number, agent) >= 0) {
        fits.set(number);
      }
    }
    return fits;
  }

  /** The first alternative of a class that could begin on an agent at once; −1 if none can. */
  public int variant(int number, AgentSlots agent) {
    Demand[] demands = all.demands(number);
    AgentHello hello = Objects.requireNonNull(agent.hello);
    for (int i = 0; i < demands.length; i++) {
      if (agent.fits(demands[i]) && (demands.length == 1 || all.matches(number, i, hello))) {
        return i;
      }
    }
    return -1;
  }

  /** Those of the candidates that have READY tasks of some of the classes in play. */
  public Candidates candidates(BitSet some, ReadyWork ready) {
    if (some.equals(inPlay)) {
      return candidates(ready);
    }
    FittingProjects known = fitting.get(some);
    if (known == null) {
      BitSet key = (BitSet) some.clone();
      known = new FittingProjects(key);
      if (fitting.size() >= MAX_KEPT) {
        fitting.clear();
      }
      fitting.put(key, known);
    }
    return known.in(ready);
  }

  void unpark() {
    idle.appendAll(parked);
    loosen();
  }

  /** Asks the agents again that had too little left. */
  public void loosen() {
    idle.appendAll(loose);
    idle.appendAll(crammed);
  }

  /**
   * Those of some classes whose tasks ask for a GPU, which most agents lack; valid until the next
   * call.
   */
  public BitSet withGpus(BitSet some) {
    gpus.clear();
    gpus.or(some);
    gpus.and(all.withGpus());
    return gpus;
  }

  /** Whether its lists contain exactly the projects and agents that they should. */
  public boolean isRight(ReadyWork ready) {
    boolean right =
        projects.isRight(ready) && fitting.values().stream().allMatch(some -> some.isRight(ready));
    for (AgentSlots agent = crammed.head(); agent != null; agent = agent.after) {
      right &= version != ready.version() || fitNow(agent).isEmpty();
    }
    return right;
  }

  /** Whether an agent waits for something that changes. */
  public boolean isParked(AgentSlots agent) {
    return agent.list == parked || agent.list == crammed || agent.list == loose;
  }

  /** Puts the agent into the list that follows from its state. */
  void place(AgentSlots agent, SchedulerSettings settings, int queuePerSlot) {
    if (!agent.isServing()) {
      AgentList.leave(agent);
    } else if (agent.hasFreeSlot()) {
      if (agent.list != idle && agent.list != parked) {
        idle.append(agent);
      }
    } else if (plain && agent.mayPrefetch(settings, queuePerSlot)) {
      if (agent.list != hungry) {
        hungry.append(agent);
      }
    } else {
      AgentList.leave(agent);
    }
  }

  /** Returns whether there was none with that line before, or there is none any more. */
  boolean countLine(long line, int more) {
    if (line == Lines.NONE) {
      return false;
    }
    int count = lines.merge(line, more, Integer::sum);
    if (count == 0) {
      lines.remove(line);
    }
    return count == 0 || count == more;
  }

  /** The best connection among its agents to which work may be left. */
  long bestLine() {
    return lines.isEmpty() ? Lines.NONE : lines.lastKey();
  }

  /** Whether an agent of another node has a free slot. */
  boolean hasFreeSlotBesides(AgentSlots agent) {
    return hasOtherNode(idle, agent)
        || hasOtherNode(parked, agent)
        || hasOtherNode(crammed, agent)
        || hasOtherNode(loose, agent);
  }

  private static boolean hasOtherNode(AgentList list, AgentSlots agent) {
    for (AgentSlots other = list.head(); other != null; other = other.after) {
      if (other.profile() != agent.profile()) {
        return true;
      }
    }
    return false;
  }
}
