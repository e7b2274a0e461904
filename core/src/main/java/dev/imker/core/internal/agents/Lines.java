package dev.imker.core.internal.agents;

import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.AgentHello;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Leaves tasks with large inputs to agents with good connections. An agent whose connection is too
 * slow for the inputs of a class gets its tasks only while no agent that could run them has a
 * better connection, even if that one is busy or has been unreachable for less than a lease.
 * Paused, draining and silent agents do not count: nothing waits for them.
 */
final class Lines {
  /** For an agent to which nothing is left. */
  static final long NONE = 0;

  private static final long UNLIMITED = Long.MAX_VALUE;

  private final RequirementClasses classes;
  private final List<AgentGroup> groups;
  private final Set<AgentSlots> limited = new HashSet<>();
  private boolean changed;

  Lines(RequirementClasses classes, List<AgentGroup> groups) {
    this.classes = classes;
    this.groups = groups;
  }

  /** Counts the line of an agent in its group, if work may be left to it now. */
  void count(AgentSlots agent, AgentGroup group) {
    long line = agent.mayBeWaitedFor() ? line(agent) : NONE;
    if (line != agent.countedLine) {
      uncount(agent, group);
      changed |= group.countLine(line, 1);
      agent.countedLine = line;
    }
  }

  void uncount(AgentSlots agent, AgentGroup group) {
    changed |= group.countLine(agent.countedLine, -1);
    agent.countedLine = NONE;
  }

  /** An agent said what its line is like. */
  void said(AgentSlots agent) {
    if (line(agent) == UNLIMITED) {
      limited.remove(agent);
    } else {
      limited.add(agent);
      changed = true;
    }
  }

  void forget(AgentSlots agent) {
    limited.remove(agent);
  }

  /** Agents have to be asked anew what they leave to others, for other reasons than their lines. */
  void changed() {
    changed = true;
  }

  /** The agents that may leave other classes to others than before, those with good lines first. */
  List<AgentSlots> toSettle() {
    if (!changed || !classes.hasLargeInputs()) {
      return List.of();
    }
    changed = false;
    return limited.stream().sorted(Comparator.comparingLong(Lines::line).reversed()).toList();
  }

  /** Takes out the classes that are left to others. */
  BitSet without(AgentSlots agent, BitSet matching) {
    long line = line(agent);
    for (int number = matching.nextSetBit(0);
        number >= 0;
        number = matching.nextSetBit(number + 1)) {
      if (classes.lineBytes(number) > line && best(number) > line) {
        matching.clear(number);
      }
    }
    return matching;
  }

  private long best(int number) {
    long best = NONE;
    for (AgentGroup group : groups) {
      if (group.classes().get(number)) {
        best = Math.max(best, group.bestLine());
      }
    }
    return best;
  }

  private static long line(AgentSlots agent) {
    AgentHello hello = agent.hello;
    long largest = hello == null ? 0 : hello.platform().largestDownloadBytes();
    return largest == 0 ? UNLIMITED : largest;
  }
}
