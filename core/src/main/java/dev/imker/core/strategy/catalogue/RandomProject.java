package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;

/** Serves any project with the same probability. */
final class RandomProject implements Strategy {
  @Override
  public String name() {
    return "random";
  }

  @Override
  public int choose(Choice choice) {
    return choice.random().nextInt(choice.candidates());
  }

  @Override
  public String explain(Choice choice) {
    return "random: one of " + choice.candidates() + " projects, all equally likely";
  }
}
