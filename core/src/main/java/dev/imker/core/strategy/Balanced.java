package dev.imker.core.strategy;

/** Serves the project with the fewest tasks being worked on; ties at random. */
public final class Balanced implements Strategy {
  @Override
  public String name() {
    return "balanced";
  }

  @Override
  public int choose(Choice choice) {
    int best = 0;
    int ties = 1;
    for (int i = 1; i < choice.candidates(); i++) {
      int difference = choice.candidate(i).working() - choice.candidate(best).working();
      if (difference < 0) {
        best = i;
        ties = 1;
      } else if (difference == 0 && choice.random().nextInt(++ties) == 0) {
        best = i;
      }
    }
    return best;
  }
}
