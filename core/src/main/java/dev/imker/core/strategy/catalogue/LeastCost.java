package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;

/** Chooses the candidate with the least cost; ties are broken at random. */
abstract class LeastCost implements Strategy {
  private int[] tied = new int[16];

  /** What a project costs; the numbers it comes from are recorded in {@link #describe}. */
  abstract double cost(Choice choice, int position);

  /** The cost in words, such as "3 tasks being worked on". */
  abstract String describe(Choice choice, int position);

  @Override
  public int choose(Choice choice) {
    prepare(choice);
    int candidates = choice.candidates();
    if (tied.length < candidates) {
      tied = new int[2 * candidates];
    }
    int ties = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < candidates; i++) {
      double cost = cost(choice, i);
      if (cost < least) {
        least = cost;
        tied[0] = i;
        ties = 1;
      } else if (cost == least) {
        tied[ties++] = i;
      }
    }
    return ties < 2 ? tied[0] : tied[choice.random().nextInt(ties)];
  }

  /** Called before the costs of one choice are asked for. */
  void prepare(Choice choice) {}

  @Override
  public String explain(Choice choice) {
    int chosen = choose(choice);
    StringBuilder text = new StringBuilder();
    text.append(name()).append(" chooses ").append(choice.candidate(chosen).project());
    text.append(" (").append(describe(choice, chosen)).append(")");
    for (int i = 0; i < choice.candidates(); i++) {
      if (i != chosen) {
        text.append("; ").append(choice.candidate(i).project());
        text.append(": ").append(describe(choice, i));
      }
    }
    return text.toString();
  }
}
