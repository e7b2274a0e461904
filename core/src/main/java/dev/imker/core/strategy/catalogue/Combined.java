package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;
import java.util.Locale;

/**
 * Fairness first, then fit: a project with far fewer working nodes than another is served by {@link
 * Balanced}, one that has hardly begun by {@link Newcomer}; else nodes get what suits their run
 * times or up-times. Where nodes or projects hardly differ there is little to gain from fit, so
 * fairness weighs more.
 */
final class Combined implements Strategy {
  /** Which of a node's records tell what it can finish. */
  enum Uptimes {
    NO,
    YES,
    IMPROVED
  }

  /** The parameters of the strategy. */
  record Settings(
      double fairLevel,
      double doneRateLowBoost,
      double powerIndexProb,
      Scale runlengthScale,
      Uptimes useUptimes) {}

  private final String name;
  private final Settings settings;
  private final Balanced balanced = new Balanced();
  private final Newcomer newcomer = new Newcomer();
  private final Performance performance = new Performance();
  private final WishedRunLength fit;

  Combined(String name, Settings settings) {
    this.name = name;
    this.settings = settings;
    this.fit =
        switch (settings.useUptimes()) {
          case NO -> new RuntimeFit(settings.runlengthScale());
          case YES -> new UptimeFit(settings.runlengthScale());
          case IMPROVED -> new UptimeImproved();
        };
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int choose(Choice choice) {
    return choice.node().isScreenSaver() ? shortest(choice) : rule(choice).choose(choice);
  }

  @Override
  public String explain(Choice choice) {
    if (choice.node().isScreenSaver()) {
      ProjectProfile chosen = choice.candidate(shortest(choice));
      return name + " chooses " + chosen.project() + ": shortest tasks for a screen saver";
    }
    return String.format(
        Locale.ROOT,
        "%s (fair level %.2f, least to most working %.2f, least done %.1f %%): %s",
        name,
        fairLevel(choice.pool()),
        workingRatio(choice),
        100 * leastDone(choice),
        rule(choice).explain(choice));
  }

  private Strategy rule(Choice choice) {
    if (workingRatio(choice) < fairLevel(choice.pool())) {
      return balanced;
    }
    if (leastDone(choice) < settings.doneRateLowBoost()) {
      return newcomer;
    }
    double chance = settings.powerIndexProb();
    return chance > 0 && choice.random().nextDouble() < chance ? performance : fit;
  }

  private double fairLevel(PoolProfile pool) {
    double reputations = pool.reputationQuantile(0.9) - pool.reputationQuantile(0.1);
    double lengths = runTimeClassSpread(pool);
    if (lengths == 0 || reputations <= 0.2) {
      return Math.max(settings.fairLevel(), 0.67);
    }
    if (lengths <= 0.5 || reputations <= 0.4) {
      return Math.max(settings.fairLevel(), 0.33);
    }
    return settings.fairLevel();
  }

  private static double runTimeClassSpread(PoolProfile pool) {
    double shortest = 1;
    double longest = -1;
    for (int k = 0; k < pool.projects(); k++) {
      double length = pool.project(k).runTimeClass();
      shortest = Math.min(shortest, length);
      longest = Math.max(longest, length);
    }
    return longest - shortest;
  }

  private static double workingRatio(Choice choice) {
    double least = Double.MAX_VALUE;
    double most = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      least = Math.min(least, choice.candidate(i).load());
      most = Math.max(most, choice.candidate(i).load());
    }
    return most == 0 ? 1 : least / most;
  }

  private static double leastDone(Choice choice) {
    double least = 1;
    for (int i = 0; i < choice.candidates(); i++) {
      least = Math.min(least, choice.candidate(i).doneShare());
    }
    return least;
  }

  private static int shortest(Choice choice) {
    int best = 0;
    for (int i = 1; i < choice.candidates(); i++) {
      if (choice.candidate(i).runTimeClass() < choice.candidate(best).runTimeClass()) {
        best = i;
      }
    }
    return best;
  }
}
