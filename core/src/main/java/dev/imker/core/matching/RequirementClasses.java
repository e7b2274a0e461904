package dev.imker.core.matching;

import dev.imker.core.message.AgentHello;
import dev.imker.core.resource.Demand;
import dev.imker.core.resource.ResourceKinds;
import dev.imker.core.resource.Stock;
import dev.imker.model.job.Requirements.Need;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final Demand[] NONE = {};

  private final ResourceKinds kinds;
  private final Stock pool;
  private final List<@Nullable Placement> classes = new ArrayList<>();
  private final List<Demand[]> demands = new ArrayList<>();
  private final BitSet plain = new BitSet();
  private final BitSet withGpus = new BitSet();
  private final BitSet withLargeInputs = new BitSet();
  private final Map<Placement, Integer> numbers = new HashMap<>();
  private final BitSet free = new BitSet();
  private int sweepFrom = FIRST_SWEEP;

  /**
   * @param pool what exists once for all machines
   */
  public RequirementClasses(ResourceKinds kinds, Stock pool) {
    this.kinds = kinds;
    this.pool = pool;
    add(Placement.NOWHERE);
  }

  /** What tasks of a class ask for: any one of these, the earlier ones rather than the later. */
  public Demand[] demands(int number) {
    return demands.get(number);
  }

  /** The classes whose tasks ask for a core and nothing else. */
  public BitSet plain() {
    return plain;
  }

  /** The classes whose tasks cannot do without a GPU. */
  public BitSet withGpus() {
    return withGpus;
  }

  /** Whether an agent has what one of the alternatives of a class asks for besides amounts. */
  public boolean matches(int number, int variant, AgentHello agent) {
    Placement placement = classes.get(number);
    return placement != null && placement.matches(variant, agent, pool);
  }

  /** How large inputs a line has to suit for tasks of a class; 0 if any line does. */
  public long lineBytes(int number) {
    Placement placement = classes.get(number);
    return placement == null ? 0 : placement.lineBytes();
  }

  /** Whether there is a class whose tasks have inputs that not every line suits. */
  public boolean hasLargeInputs() {
    return !withLargeInputs.isEmpty();
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
      demands.add(NONE);
    } else {
      free.clear(number);
      classes.set(number, placement);
    }
    numbers.put(placement, number);
    Demand[] asked = asked(placement);
    demands.set(number, asked);
    plain.set(number, asked.length == 1 && asked[0].isPlain());
    withGpus.set(number, Arrays.stream(asked).allMatch(Demand::hasGpus));
    withLargeInputs.set(number, placement.lineBytes() > 0);
    return number;
  }

  private Demand[] asked(Placement placement) {
    List<Need> needs = placement.needs().alternatives();
    return needs.isEmpty()
        ? new Demand[] {Demand.ONE_CORE}
        : needs.stream().map(need -> Demand.of(need, kinds)).toArray(Demand[]::new);
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
        withLargeInputs.clear(number);
        free.set(number);
      }
    }
    sweepFrom = Math.max(FIRST_SWEEP, 2 * numbers.size());
  }

  public boolean matches(int number, AgentHello agent) {
    Placement placement = classes.get(number);
    return placement != null && placement.matches(agent, pool);
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
