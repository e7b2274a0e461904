package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;

/**
 * Work in the order of its arrival. Two classic policies come to this where agents ask for work and
 * hold one task per slot; they differ in who is served when several agents are free:
 *
 * <ul>
 *   <li>central manager: a new task goes to the agent with the fewest tasks;
 *   <li>central queue: idle agents ask, and their requests are served in order.
 * </ul>
 *
 * The scheduler offers slots of idle nodes first, which is both.
 */
record FirstCome(String name) implements Strategy {
  @Override
  public int choose(Choice choice) {
    return 0;
  }

  @Override
  public String explain(Choice choice) {
    return name + ": " + choice.candidate(0).project() + " came first";
  }
}
