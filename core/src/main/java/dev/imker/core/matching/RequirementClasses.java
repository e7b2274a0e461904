package dev.imker.core.matching;

import dev.imker.core.message.AgentHello;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the different places that stages ask for: tasks with equal ones are one class. Numbers of
 * classes that nobody asks for any more are given again, so that there are never many more than are
 * in use.
 */
public final class RequirementClasses {
  /** The class of tasks that are not handed out for now: fits no agent. */
  public static final int NOWHERE = 0;

  private static final int FIRST_SWEEP = 64;

  private final List<@Nullable Placement> classes = new ArrayList<>();
  private final Map<Placement, Integer> numbers = new HashMap<>();
  private final BitSet free = new BitSet();
  private int sweepFrom = FIRST_SWEEP;

  public RequirementClasses() {
    add(Placement.NOWHERE);
  }

  public int size() {
    return numbers.size();
  }

  /** The number of a placement; −1 if it is new. */
  public int known(Placement placement) {
    return numbers.getOrDefault(placement, -1);
  }

  /** Gives a number to a new placement. */
  public int add(Placement placement) {
    int number = free.nextSetBit(0);
    if (number < 0) {
      number = classes.size();
      classes.add(placement);
    } else {
      free.clear(number);
      classes.set(number, placement);
    }
    numbers.put(placement, number);
    return number;
  }

  /** Whether so many were added since the last time that some are likely to be of no use. */
  public boolean isSweepDue() {
    return numbers.size() >= sweepFrom;
  }

  /** Frees the numbers of all classes but those in use. */
  public void sweep(BitSet used) {
    for (int number = used.nextClearBit(NOWHERE + 1);
        number < classes.size();
        number = used.nextClearBit(number + 1)) {
      Placement gone = classes.set(number, null);
      if (gone != null) {
        numbers.remove(gone);
        free.set(number);
      }
    }
    sweepFrom = Math.max(FIRST_SWEEP, 2 * numbers.size());
  }

  public boolean matches(int number, AgentHello agent) {
    Placement placement = classes.get(number);
    return placement != null && placement.matches(agent);
  }

  /** The classes whose tasks the agent can run. */
  public BitSet matching(AgentHello agent) {
    BitSet matching = new BitSet();
    for (int number = 0; number < classes.size(); number++) {
      matching.set(number, matches(number, agent));
    }
    return matching;
  }
}
