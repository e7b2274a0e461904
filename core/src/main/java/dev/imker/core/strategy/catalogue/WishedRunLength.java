package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.RunLength;
import dev.imker.core.strategy.Strategy;
import java.util.Locale;

/** Serves the project whose run time fits what the node is expected to finish. */
abstract class WishedRunLength implements Strategy {
  private final RunLength runLength = new RunLength();

  /** The run time that would suit the node (avTARGET). */
  abstract double wishedMinutes(Choice choice);

  @Override
  public int choose(Choice choice) {
    return runLength.choose(choice, wishedMinutes(choice));
  }

  @Override
  public String explain(Choice choice) {
    double wish = wishedMinutes(choice);
    int chosen = choose(choice);
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: a node of reputation %.2f suits tasks of %.0f min, the pool offers about %.0f",
            name(),
            choice.node().reputation(),
            wish,
            runLength.draw(choice.pool(), wish)));
    for (int i = 0; i < choice.candidates(); i++) {
      text.append(i == 0 ? ": " : ", ").append(choice.candidate(i).project());
      text.append(String.format(Locale.ROOT, " %.0f min", choice.candidate(i).runMinutes()));
      text.append(i == chosen ? " (chosen)" : "");
    }
    return text.toString();
  }
}
