package dev.imker.core.internal.agents;

import dev.imker.core.internal.queues.Candidates;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.message.SchedulerSettings;
import java.util.BitSet;

/**
 * Agents whose nodes match the same requirement classes. They share the list of projects that have
 * work for them, so that groups without work cost nothing however many idle agents they have.
 */
public final class AgentGroup {
  private final BitSet classes;
  private final Candidates candidates = new Candidates();
  private long candidatesVersion = -1;

  /** Agents with a free slot. */
  public final AgentList idle = new AgentList();

  /** Agents with a free slot that nothing was found for; asked again when something changed. */
  public final AgentList parked = new AgentList();

  /** Agents without a free slot that may get work ahead. */
  public final AgentList hungry = new AgentList();

  /** How many agents belong to it, in a list or not. */
  int members;

  AgentGroup(BitSet classes) {
    this.classes = classes;
  }

  public BitSet classes() {
    return classes;
  }

  /** Projects with READY tasks that fit, in the order of their definition. */
  public Candidates candidates(ReadyWork ready) {
    if (candidatesVersion != ready.version()) {
      candidatesVersion = ready.version();
      ready.collect(classes, candidates);
      unpark();
    }
    return candidates;
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
    } else if (agent.mayPrefetch(settings)) {
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
