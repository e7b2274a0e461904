package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import java.util.Locale;

/** Serves the project with the smallest share of done tasks. */
final class Newcomer extends LeastCost {
  @Override
  public String name() {
    return "newcomer";
  }

  @Override
  double cost(Choice choice, int position) {
    return choice.candidate(position).doneShare();
  }

  @Override
  String describe(Choice choice, int position) {
    return String.format(Locale.ROOT, "%.1f %% done", 100 * choice.candidate(position).doneShare());
  }
}
