package dev.imker.core.internal.agents;

import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.resource.ResourceKinds;
import dev.imker.core.resource.Stock;
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
  private final Map<NodeProfile, Machine> machines = new LinkedHashMap<>();
  private final ResourceKinds kinds;
  private final Stock pool;
  private final Map<BitSet, AgentGroup> groupsByClasses = new HashMap<>();
  private final List<AgentGroup> groups = new ArrayList<>();
  private final Lines lines;
  private @Nullable AgentSlots longestSilent;
  private @Nullable AgentSlots lastHeard;

  /** Negative if it has to be found out anew. */
  private long largestMemoryBytes;

  private int queuePerSlot;
  private long stoodStillMillis;
  private long awakeSinceMillis = Long.MIN_VALUE;

  /**
   * @param pool what exists once for all machines
   */
  public AgentTable(
      SchedulerSettings settings, RequirementClasses classes, ResourceKinds kinds, Stock pool) {
    this.settings = settings;
    this.classes = classes;
    this.kinds = kinds;
    this.pool = pool;
    lines = new Lines(classes, groups);
  }

  /** Up to so many machines the first in line is looked for on every one. */
  public int fewMachines() {
    return settings.fewMachines();
  }

  public Stock pool() {
    return pool;
  }

  public int queuePerSlot() {
    return queuePerSlot;
  }

  /** Sets how many tasks per slot may wait at an agent. */
  public void queuePerSlot(int tasks) {
    queuePerSlot = settings.maxPrefetch() == 0 ? 0 : tasks;
    byId.values().forEach(this::place);
  }

  public RequirementClasses classes() {
    return classes;
  }

  /** The machines of all agents. */
  public Collection<Machine> machines() {
    return machines.values();
  }

  /** The memory of the machine that has most of it. */
  public long largestMemoryBytes() {
    if (largestMemoryBytes < 0) {
      largestMemoryBytes = 0;
      for (Machine machine : machines.values()) {
        largestMemoryBytes = Math.max(largestMemoryBytes, machine.stock().memoryBytes());
      }
    }
    return largestMemoryBytes;
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
    Machine machine = machines.computeIfAbsent(profile, node -> new Machine(kinds, pool));
    AgentSlots agent = new AgentSlots(id, profile, machine);
    byId.put(id, agent);
    machine.add(agent);
    return agent;
  }

  public void remove(AgentSlots agent) {
    leaveGroup(agent);
    unhear(agent);
    lines.forget(agent);
    byId.remove(agent.id());
    largestMemoryBytes = -1;
    if (agent.machine().remove(agent)) {
      machines.remove(agent.profile());
    }
  }

  public int countOn(NodeProfile node) {
    Machine machine = machines.get(node);
    return machine == null ? 0 : machine.agents().size();
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

  /** Removes the agent from the order of signs of life; its silence no longer matters. */
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

  /** The server itself was stopped for this long until now and could not receive anything. */
  public void stoodStill(long nowMillis, long millis) {
    stoodStillMillis += millis;
    awakeSinceMillis = nowMillis;
  }

  /** Whether the server was stopped since the agent's last sign of life. */
  public boolean isExcused(AgentSlots agent) {
    return agent.lastSignMillis < awakeSinceMillis;
  }

  /** Finds the group of a new or changed agent. */
  public void group(AgentSlots agent, AgentHello hello) {
    agent.offered();
    largestMemoryBytes = -1;
    lines.said(agent);
    join(agent, classes.matching(hello));
  }

  /** Updates which tasks with large inputs are left to agents with good connections. */
  public void settle() {
    for (AgentSlots agent : lines.toSettle()) {
      AgentHello hello = agent.hello;
      if (hello != null) {
        join(agent, lines.without(agent, classes.matching(hello)));
      }
    }
  }

  /** What exists once for all machines has changed. */
  public void regroupAll() {
    lines.changed();
    for (AgentSlots agent : byId.values()) {
      AgentHello hello = agent.hello;
      if (hello != null) {
        join(agent, classes.matching(hello));
      }
    }
    groups.removeIf(group -> group.members == 0 && groupsByClasses.remove(group.classes(), group));
  }

  /** Sorts the agents into groups again after a new requirement class appeared. */
  public void regroup(int newClass) {
    if (classes.lineBytes(newClass) > 0) {
      lines.changed();
    }
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
    groups.forEach(AgentGroup::loosen);
  }

  /** Puts the agent where its state wants it. */
  public void place(AgentSlots agent) {
    List<AgentSlots> together = agent.machine().agents();
    for (int i = 0; i < together.size(); i++) {
      AgentSlots one = together.get(i);
      AgentGroup group = one.group;
      if (group != null) {
        lines.count(one, group);
        group.place(one, settings, queuePerSlot);
      }
    }
  }

  /** An agent, or another one of its machine, has less to do: they are asked again. */
  public void freed(AgentSlots agent) {
    place(agent);
    List<AgentSlots> together = agent.machine().agents();
    for (int i = 0; i < together.size(); i++) {
      AgentSlots one = together.get(i);
      AgentGroup group = one.group;
      if (group != null && group.isParked(one) && !group.isPlain()) {
        group.idle.append(one);
      }
    }
  }

  public void unpark() {
    for (int i = 0; i < groups.size(); i++) {
      groups.get(i).unpark();
    }
  }

  /** Asks those again that match the class and that nothing was found for. */
  public void unpark(int requirementClass) {
    for (int i = 0; i < groups.size(); i++) {
      AgentGroup group = groups.get(i);
      if (group.classes().get(requirementClass)) {
        group.unpark();
      }
    }
  }

  /** How many agents match the class. */
  public int matching(int requirementClass) {
    int count = 0;
    for (int i = 0; i < groups.size(); i++) {
      AgentGroup group = groups.get(i);
      count += group.classes().get(requirementClass) ? group.members : 0;
    }
    return count;
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
      group = new AgentGroup(matching, classes);
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

  private void leaveGroup(AgentSlots agent) {
    AgentList.leave(agent);
    AgentGroup group = agent.group;
    if (group != null) {
      lines.uncount(agent, group);
      group.members--;
      agent.group = null;
    }
  }
}
