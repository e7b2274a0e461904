package dev.imker.core.internal.agents;

import dev.imker.core.internal.queues.Candidates;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.resource.Demand;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Agents whose nodes match the same requirement classes. They share the list of projects that have
 * work for them, so that groups without work cost nothing however many idle agents they have.
 */
public final class AgentGroup {
  private static final int MAX_KEPT = 256;

  private final BitSet classes;
  private final RequirementClasses all;
  private final Candidates candidates = new Candidates();
  private final BitSet inPlay = new BitSet();
  private final Map<BitSet, Candidates> fitting = new HashMap<>();
  private final BitSet fits = new BitSet();
  private boolean plain = true;
  private long candidatesVersion = -1;

  /** Agents with a free slot. */
  public final AgentList idle = new AgentList();

  /** Agents with a free slot that nothing was found for; asked again when something changed. */
  public final AgentList parked = new AgentList();

  /** Agents without a free slot that may get work ahead. */
  public final AgentList hungry = new AgentList();

  /** How many agents belong to it, in a list or not. */
  int members;

  AgentGroup(BitSet classes, RequirementClasses all) {
    this.classes = classes;
    this.all = all;
  }

  public BitSet classes() {
    return classes;
  }

  /** Projects with READY tasks that fit, in the order of their definition. */
  public Candidates candidates(ReadyWork ready) {
    if (candidatesVersion != ready.version()) {
      candidatesVersion = ready.version();
      inPlay.clear();
      ready.collect(classes, candidates, inPlay);
      inPlay.and(classes);
      fits.clear();
      fits.or(inPlay);
      fits.andNot(all.plain());
      plain = fits.isEmpty();
      fitting.clear();
      unpark();
    }
    return candidates;
  }

  /** Whether all READY tasks that fit ask for a core and nothing else. */
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
  public Candidates candidates(BitSet some) {
    if (some.equals(inPlay)) {
      return candidates;
    }
    Candidates known = fitting.get(some);
    if (known == null) {
      known = new Candidates();
      for (int i = 0; i < candidates.size(); i++) {
        if (candidates.queues(i).fits(some)) {
          known.add(candidates.queues(i));
        }
      }
      if (fitting.size() >= MAX_KEPT) {
        fitting.clear();
      }
      fitting.put((BitSet) some.clone(), known);
    }
    return known;
  }

  void unpark() {
    idle.appendAll(parked);
  }

  /** Puts the agent into the list that follows from its state. */
  void place(AgentSlots agent, SchedulerSettings settings) {
    if (!agent.isServing()) {
      AgentList.leave(agent);
    } else if (agent.hasFreeSlot()) {
      if (agent.list != idle && agent.list != parked) {
        idle.append(agent);
      }
    } else if (plain && agent.mayPrefetch(settings)) {
      if (agent.list != hungry) {
        hungry.append(agent);
      }
    } else {
      AgentList.leave(agent);
    }
  }

  /** Whether an agent of another node has a free slot. */
  boolean hasFreeSlotBesides(AgentSlots agent) {
    return hasOtherNode(idle, agent) || hasOtherNode(parked, agent);
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
