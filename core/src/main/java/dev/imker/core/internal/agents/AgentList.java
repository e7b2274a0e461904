package dev.imker.core.internal.agents;

import org.jspecify.annotations.Nullable;

/** Agents in the order they came; an agent is in one list at most, and leaves it in O(1). */
public final class AgentList {
  private @Nullable AgentSlots head;
  private @Nullable AgentSlots tail;

  public @Nullable AgentSlots head() {
    return head;
  }

  /** Appends an agent, taking it out of the list it is in. */
  public void append(AgentSlots agent) {
    leave(agent);
    agent.list = this;
    agent.before = tail;
    if (tail == null) {
      head = agent;
    } else {
      tail.after = agent;
    }
    tail = agent;
  }

  void appendAll(AgentList other) {
    for (AgentSlots agent = other.head; agent != null; agent = other.head) {
      append(agent);
    }
  }

  public static void leave(AgentSlots agent) {
    AgentList list = agent.list;
    if (list != null) {
      list.unlink(agent);
    }
  }

  private void unlink(AgentSlots agent) {
    AgentSlots before = agent.before;
    AgentSlots after = agent.after;
    if (before == null) {
      head = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.before = before;
    }
    agent.before = null;
    agent.after = null;
    agent.list = null;
  }
}
