package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;

/** Serves the projects in turn. */
final class RoundRobin implements Strategy {
  private int last = -1;

  @Override
  public String name() {
    return "round-robin";
  }

  @Override
  public int choose(Choice choice) {
    int chosen = next(choice);
    last = choice.candidate(chosen).index();
    return chosen;
  }

  @Override
  public String explain(Choice choice) {
    int chosen = next(choice);
    return "round-robin: " + choice.candidate(chosen).project() + " is next in turn";
  }

  private int next(Choice choice) {
    for (int i = 0; i < choice.candidates(); i++) {
      if (choice.candidate(i).index() > last) {
        return i;
      }
    }
    return 0;
  }
}
