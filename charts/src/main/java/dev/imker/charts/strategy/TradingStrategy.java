package dev.imker.charts.strategy;

import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.SeriesExpr;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When to enter and to leave on either side, and on which terms. One position at a time.
 *
 * @param warmUpBars bars at the start without any signal; negative: until all series are settled
 * @param seeding what recursive averages start with
 * @param sources what else belongs to its rules
 * @param portfolio how the account is shared by all markets; null if each market has its own
 */
public record TradingStrategy(
    @Nullable Side longSide,
    @Nullable Side shortSide,
    Terms terms,
    int warmUpBars,
    Seeding seeding,
    Sources sources,
    @Nullable Portfolio portfolio) {
  public static final int UNTIL_SETTLED = -1;

  /**
   * What rules are made of.
   *
   * @param indicators those with names, with parameters
   * @param markets others that are looked at
   * @param java indicators of libraries, with the names of what they are given
   */
  public record Sources(
      Map<String, SeriesExpr> indicators, Set<String> markets, Map<String, Set<String>> java) {
    public Sources {
      indicators = Collections.unmodifiableMap(new LinkedHashMap<>(indicators));
      markets = Set.copyOf(markets);
      java = Map.copyOf(java);
    }
  }

  /**
   * @param orders that rest in the market besides
   */
  public record Side(RuleExpr enter, RuleExpr exit, Orders orders) {
    Side bind(double[] parameters) {
      return new Side(enter.bind(parameters), exit.bind(parameters), orders.bind(parameters));
    }
  }

  /** The same strategy with every parameter replaced by its value. */
  public TradingStrategy bind(double[] parameters) {
    return new TradingStrategy(
        longSide == null ? null : longSide.bind(parameters),
        shortSide == null ? null : shortSide.bind(parameters),
        terms.bind(parameters),
        warmUpBars,
        seeding,
        sources,
        portfolio == null ? null : portfolio.bind(parameters));
  }
}
