package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;

/**
 * Work in the order of its arrival: central manager (the agent with the fewest tasks gets the next)
 * and central queue (agents ask, and their requests are served in order).
 */
record FirstCome(String name, Serving serving) implements Strategy {
  @Override
  public int choose(Choice choice) {
    return 0;
  }

  @Override
  public String explain(Choice choice) {
    return name + ": " + choice.candidate(0).project() + " came first";
  }
}
