package dev.imker.core.strategy;

/** Serves the project with the fewest tasks being worked on. */
public final class Balanced extends LeastCost {
  @Override
  public String name() {
    return "balanced";
  }

  @Override
  double cost(Choice choice, int position) {
    return choice.candidate(position).working();
  }

  @Override
  String describe(Choice choice, int position) {
    return choice.candidate(position).working() + " tasks being worked on";
  }
}
