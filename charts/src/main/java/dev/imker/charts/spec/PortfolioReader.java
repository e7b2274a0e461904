package dev.imker.charts.spec;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.strategy.Portfolio;
import dev.imker.charts.strategy.Portfolio.Rebalancing;
import dev.imker.charts.strategy.Portfolio.Weighting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads how one account is shared by many markets. */
record PortfolioReader(SeriesReader series, Quantities quantities) {
  private static final List<String> ORDERS = List.of("lowest", "highest");
  private static final int USUAL_VOLATILITY_BARS = 60;
  private static final double ALL_OF_IT = 100 + 1e-9;

  /** Refuses what a portfolio cannot do. */
  boolean check(Map<String, YamlValue> strategy) {
    for (String side : List.of("long", "short")) {
      YamlValue section = strategy.get(side);
      if (section != null && section.isMap() && section.map().containsKey("orders")) {
        refuseOrders(section.map());
      }
    }
    refuseOrders(strategy);
    YamlValue entries = strategy.get("entries");
    if (entries != null) {
      throw entries.error(
          "in a portfolio, 'rebalance' and 'weights' determine how positions grow.");
    }
    YamlValue size = strategy.get("size");
    if (size != null && size.isMap() && !size.map().containsKey("equity-percent")) {
      throw size.error(
          "in a portfolio, 'weights' determine how much is bought; only equity-percent is"
              + " allowed here, for all positions together.");
    }
    return true;
  }

  private static void refuseOrders(Map<String, YamlValue> section) {
    YamlValue orders = section.get("orders");
    if (orders != null) {
      throw orders.error(
          "a portfolio does not fill orders within a bar; put stops under 'exit:', where"
              + " they are checked at the close.");
    }
  }

  Portfolio read(YamlValue value) {
    Map<String, YamlValue> map =
        value.map(
            List.of("positions", "rank", "weights", "volatility-bars", "rebalance", "entries"));
    YamlValue positions = map.get("positions");
    YamlValue rank = map.get("rank");
    YamlValue weights = map.get("weights");
    YamlValue bars = map.get("volatility-bars");
    Rebalancing rebalancing = rebalancing(map.get("rebalance"));
    boolean lowest = rank != null && rank.isMap() && rank.map().containsKey("lowest");
    return new Portfolio(
        positions == null
            ? null
            : quantities.read(positions, "positions", 1, Double.POSITIVE_INFINITY),
        rank == null ? null : rank(rank),
        !lowest,
        weighting(weights),
        weights != null && weights.isMap() ? fixed(weights) : Map.of(),
        bars == null
            ? Quantity.of(USUAL_VOLATILITY_BARS)
            : quantities.read(bars, "volatility-bars", 2, Double.POSITIVE_INFINITY),
        rebalancing,
        onlyWhenRebalanced(map.get("entries"), rebalancing));
  }

  /** An indicator, of which the highest is best unless it says {lowest: …}. */
  private SeriesExpr rank(YamlValue value) {
    if (value.isMap() && value.map().size() == 1) {
      var only = value.map().entrySet().iterator().next();
      if (ORDERS.contains(only.getKey())) {
        return series.number(only.getValue(), "rank");
      }
    }
    return series.number(value, "rank");
  }

  private static Weighting weighting(@Nullable YamlValue value) {
    if (value == null) {
      return Weighting.EQUAL;
    }
    if (value.isMap()) {
      return Weighting.FIXED;
    }
    return value.oneOf("weights", List.of("equal", "inverse-volatility")).equals("equal")
        ? Weighting.EQUAL
        : Weighting.INVERSE_VOLATILITY;
  }

  private static Map<String, Double> fixed(YamlValue value) {
    Map<String, Double> weights = new LinkedHashMap<>();
    value.map().forEach((market, percent) -> weights.put(market, percent.number()));
    double sum = weights.values().stream().mapToDouble(w -> w).sum();
    if (weights.values().stream().anyMatch(w -> w < 0) || sum > ALL_OF_IT) {
      throw value.error(
          "expected percentages of the account, none below 0 and at most 100 in total; these are %s."
              .formatted(sum));
    }
    return weights;
  }

  private static Rebalancing rebalancing(@Nullable YamlValue value) {
    return value == null
        ? Rebalancing.NEVER
        : Rebalancing.values()[
            Rebalancing.labels().indexOf(value.oneOf("rebalance", Rebalancing.labels()))];
  }

  private static boolean onlyWhenRebalanced(@Nullable YamlValue value, Rebalancing rebalancing) {
    if (value == null) {
      return false;
    }
    boolean only = value.oneOf("entries", List.of("any-day", "when-rebalanced")).startsWith("when");
    if (only && rebalancing == Rebalancing.NEVER) {
      throw value.error("nothing is ever rebalanced; add 'rebalance: monthly', for example.");
    }
    return only;
  }
}
