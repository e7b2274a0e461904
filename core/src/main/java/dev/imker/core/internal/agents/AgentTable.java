package dev.imker.core.internal.agents;

import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.NodeProfile;
import dev.imker.model.AgentId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The agents, in groups by what they can run, and in the order of their last sign of life: as time
 * never goes back, that order is kept by moving an agent to the end whenever it is heard.
 */
public final class AgentTable {
  private final SchedulerSettings settings;
  private final RequirementClasses classes;
  private final Map<AgentId, AgentSlots> byId = new LinkedHashMap<>();
  private final Map<NodeProfile, Integer> onNode = new HashMap<>();
  private final Map<BitSet, AgentGroup> groupsByClasses = new HashMap<>();
  private final List<AgentGroup> groups = new ArrayList<>();
  private @Nullable AgentSlots longestSilent;
  private @Nullable AgentSlots lastHeard;

  private long stoodStillMillis;
  private long awakeSinceMillis = Long.MIN_VALUE;

  public AgentTable(SchedulerSettings settings, RequirementClasses classes) {
    this.settings = settings;
    this.classes = classes;
  }

  public @Nullable AgentSlots get(AgentId id) {
    return byId.get(id);
  }

  public Collection<AgentSlots> all() {
    return byId.values();
  }

  public List<AgentGroup> groups() {
    return groups;
  }

  public AgentSlots add(AgentId id, NodeProfile profile) {
    AgentSlots agent = new AgentSlots(id, profile);
    byId.put(id, agent);
    onNode.merge(profile, 1, Integer::sum);
    return agent;
  }

  public void remove(AgentSlots agent) {
    leaveGroup(agent);
    unhear(agent);
    byId.remove(agent.id());
    onNode.computeIfPresent(agent.profile(), (node, count) -> count == 1 ? null : count - 1);
  }

  public int countOn(NodeProfile node) {
    return onNode.getOrDefault(node, 0);
  }

  /** Notes a sign of life. */
  public void heard(AgentSlots agent, long nowMillis) {
    unhear(agent);
    agent.lastSignMillis = nowMillis;
    agent.lastSignAwakeMillis = nowMillis - stoodStillMillis;
    agent.heardBefore = lastHeard;
    if (lastHeard == null) {
      longestSilent = agent;
    } else {
      lastHeard.heardAfter = agent;
    }
    lastHeard = agent;
  }

  /** Takes the agent out of the order of signs of life: it is no longer waited for. */
  public void unhear(AgentSlots agent) {
    AgentSlots before = agent.heardBefore;
    AgentSlots after = agent.heardAfter;
    if (before == null) {
      longestSilent = longestSilent == agent ? after : longestSilent;
    } else {
      before.heardAfter = after;
    }
    if (after == null) {
      lastHeard = lastHeard == agent ? before : lastHeard;
    } else {
      after.heardBefore = before;
    }
    agent.heardBefore = null;
    agent.heardAfter = null;
  }

  /** An agent that was silent for longer than a lease; null if there is none. */
  public @Nullable AgentSlots overdue(long nowMillis) {
    AgentSlots agent = longestSilent;
    return agent != null
            && nowMillis - stoodStillMillis - agent.lastSignAwakeMillis > settings.leaseMillis()
        ? agent
        : null;
  }

  /** The server itself stood still for so long until now: nobody can be heard in such a time. */
  public void stoodStill(long nowMillis, long millis) {
    stoodStillMillis += millis;
    awakeSinceMillis = nowMillis;
  }

  /** Whether the server stood still since the agent was heard last. */
  public boolean isExcused(AgentSlots agent) {
    return agent.lastSignMillis < awakeSinceMillis;
  }

  /** Finds the group of an agent that is new or has changed. */
  public void group(AgentSlots agent, AgentHello hello) {
    join(agent, classes.matching(hello));
  }

  /** Sorts the agents into groups again after a new requirement class appeared. */
  public void regroup(int newClass) {
    for (AgentSlots agent : byId.values()) {
      AgentGroup group = agent.group;
      AgentHello hello = agent.hello;
      boolean matches = hello != null && classes.matches(newClass, hello);
      // The number may have been that of another class before.
      if (group != null && hello != null && group.classes().get(newClass) != matches) {
        BitSet matching = (BitSet) group.classes().clone();
        matching.set(newClass, matches);
        join(agent, matching);
      }
    }
    groups.removeIf(group -> group.members == 0 && groupsByClasses.remove(group.classes(), group));
  }

  /** Puts the agent where its state wants it. */
  public void place(AgentSlots agent) {
    AgentGroup group = agent.group;
    if (group != null) {
      group.place(agent, settings);
    }
  }

  public void unpark() {
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).unpark();
    }
  }

  /** Whether another node that matches the class has a free slot. */
  public boolean hasFreeSlotBesides(AgentSlots agent, int requirementClass) {
    for (int i = 0; i < groups.size(); i++) {
      AgentGroup group = groups.get(i);
      if (group.classes().get(requirementClass) && group.hasFreeSlotBesides(agent)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a node that matches the class is none of these, be it busy, paused or silent. */
  public boolean hasNodeBesides(List<NodeProfile> nodes, int requirementClass) {
    for (AgentSlots agent : byId.values()) {
      AgentGroup group = agent.group;
      if (group != null
          && group.classes().get(requirementClass)
          && !nodes.contains(agent.profile())) {
        return true;
      }
    }
    return false;
  }

  private void join(AgentSlots agent, BitSet matching) {
    AgentGroup group = groupsByClasses.get(matching);
    if (group == null) {
      group = new AgentGroup(matching);
      groupsByClasses.put(matching, group);
      groups.add(group);
    }
    if (agent.group != group) {
      leaveGroup(agent);
      agent.group = group;
      group.members++;
    }
    place(agent);
  }

  private static void leaveGroup(AgentSlots agent) {
    AgentList.leave(agent);
    AgentGroup group = agent.group;
    if (group != null) {
      group.members--;
      agent.group = null;
    }
  }
}
