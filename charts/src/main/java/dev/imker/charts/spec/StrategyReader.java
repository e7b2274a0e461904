package dev.imker.charts.spec;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.strategy.Orders;
import dev.imker.charts.strategy.Portfolio;
import dev.imker.charts.strategy.RuleExpr;
import dev.imker.charts.strategy.Terms;
import dev.imker.charts.strategy.TradingStrategy;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the strategy: indicators, rules of either side, terms. */
final class StrategyReader {
  private static final List<String> FIELDS =
      List.of(
          "side",
          "indicators",
          "enter",
          "exit",
          "orders",
          "long",
          "short",
          "execution",
          "capital",
          "size",
          "whole-units",
          "fees",
          "slippage",
          "borrow",
          "risk-free",
          "leverage",
          "entries",
          "warm-up",
          "seed",
          "portfolio");
  private static final List<String> SIDE_FIELDS = List.of("enter", "exit", "orders");

  private final Quantities quantities;
  private final SeriesReader series;
  private final RuleReader rules;
  private final OrdersReader orders;

  StrategyReader(Quantities quantities) {
    this.quantities = quantities;
    this.series = new SeriesReader(quantities);
    this.rules = new RuleReader(series, quantities);
    this.orders = new OrdersReader(series, quantities);
  }

  TradingStrategy read(YamlValue value) {
    Map<String, YamlValue> map = value.map(FIELDS);
    YamlValue indicators = map.get("indicators");
    if (indicators != null) {
      series.define(indicators);
    }
    TradingStrategy.Side longSide = side(map, "long");
    TradingStrategy.Side shortSide = side(map, "short");
    if (map.containsKey("enter")) {
      if (longSide != null || shortSide != null) {
        value
            .mistakes()
            .add(value.error("give either enter and exit, or long and short with their own."));
      }
      boolean isLong = part(map.get("side"), StrategyReader::isLong, true);
      TradingStrategy.Side only = value.mistakes().reading(() -> rules(map, value, ""));
      longSide = isLong ? only : null;
      shortSide = isLong ? null : only;
    }
    if (map.containsKey("orders") && !map.containsKey("enter")) {
      value
          .mistakes()
          .add(value.error("with long and short, each has its own 'orders:'; put them there."));
    }
    if (longSide == null && shortSide == null && value.mistakes().isEmpty()) {
      throw value.error("there is no entry rule; add 'enter:' and 'exit:'.");
    }
    YamlValue shared = map.get("portfolio");
    Terms terms = terms(map);
    YamlValue entries = map.get("entries");
    if (entries != null && terms.entries() > 1 && (waits(longSide) || waits(shortSide))) {
      throw entries.error("orders.entry cannot be combined with several entries; remove one.");
    }
    Portfolio portfolio = shared == null ? null : portfolio(shared, map);
    return new TradingStrategy(
        longSide,
        shortSide,
        terms,
        part(map.get("warm-up"), StrategyReader::warmUp, TradingStrategy.UNTIL_SETTLED),
        part(map.get("seed"), StrategyReader::seeding, Seeding.SMA),
        new TradingStrategy.Sources(
            series.indicators(), series.otherMarkets(), series.javaIndicators()),
        portfolio);
  }

  private static boolean waits(TradingStrategy.@Nullable Side side) {
    return side != null && side.orders().entry() != null;
  }

  private TradingStrategy.@Nullable Side side(Map<String, YamlValue> map, String name) {
    YamlValue value = map.get(name);
    return value == null
        ? null
        : value.mistakes().reading(() -> rules(value.map(SIDE_FIELDS), value, name + "."));
  }

  private static boolean isLong(YamlValue value) {
    return value.oneOf("side", List.of("long", "short")).equals("long");
  }

  private TradingStrategy.Side rules(Map<String, YamlValue> map, YamlValue parent, String prefix) {
    YamlValue enter = Quantities.require(map, "enter", parent);
    YamlValue resting = map.get("orders");
    Orders read = part(resting, v -> orders.read(v, prefix + "orders"), Orders.NONE);
    YamlValue exit = resting == null ? Quantities.require(map, "exit", parent) : map.get("exit");
    if (exit == null && !read.guardPosition() && resting != null && resting.mistakes().isEmpty()) {
      throw parent.error(
          "nothing closes a position; add 'exit:', or a stop or target under 'orders:'.");
    }
    return new TradingStrategy.Side(
        rule(enter, prefix, true),
        exit == null ? new RuleExpr.Any(List.of()) : rule(exit, prefix, false),
        read);
  }

  private RuleExpr rule(YamlValue value, String prefix, boolean entering) {
    String label = prefix + (entering ? "enter" : "exit");
    return value
        .mistakes()
        .reading(() -> rules.read(value, label, entering), new RuleExpr.Any(List.of()));
  }

  /** Reads a field that may be absent; a mistake in it does not keep others from being found. */
  private static <T> T part(@Nullable YamlValue value, Function<YamlValue, T> reader, T otherwise) {
    return value == null
        ? otherwise
        : value.mistakes().reading(() -> reader.apply(value), otherwise);
  }

  private @Nullable Portfolio portfolio(YamlValue value, Map<String, YamlValue> map) {
    PortfolioReader reader = new PortfolioReader(series, quantities);
    value.mistakes().reading(() -> reader.check(map), true);
    return value.mistakes().reading(() -> reader.read(value));
  }

  private static int warmUp(YamlValue value) {
    return value.isScalar() && value.text().equals("auto")
        ? TradingStrategy.UNTIL_SETTLED
        : value.whole(0);
  }

  private static Seeding seeding(YamlValue value) {
    return Seeding.values()[Seeding.labels().indexOf(value.oneOf("seed", Seeding.labels()))];
  }

  private Terms terms(Map<String, YamlValue> map) {
    Terms usual = Terms.USUAL;
    YamlValue fees = map.get("fees");
    Map<String, YamlValue> fee =
        fees == null ? Map.of() : fees.map(List.of("percent", "fixed", "minimum"));
    return new Terms(
        part(map.get("execution"), StrategyReader::execution, usual.execution()),
        part(map.get("capital"), StrategyReader::positive, usual.capital()),
        part(map.get("size"), new SizingReader(quantities)::read, usual.sizing()),
        part(map.get("whole-units"), YamlValue::flag, false),
        part(map.get("leverage"), StrategyReader::positive, usual.leverage()),
        part(map.get("entries"), v -> v.whole(1), usual.entries()),
        quantity(fee.get("percent"), "fees.percent"),
        quantity(fee.get("fixed"), "fees.fixed"),
        part(fee.get("minimum"), v -> rate(v, Double.MAX_VALUE), 0.0),
        part(map.get("borrow"), v -> rate(v, 1000), 0.0),
        part(map.get("risk-free"), v -> rate(v, 100), 0.0),
        part(
            map.get("slippage"),
            v -> quantities.read(v, "slippage", 0, 100),
            usual.slippagePercent()));
  }

  private static double rate(YamlValue value, double most) {
    if (!(value.number() >= 0 && value.number() <= most)) {
      throw value.error(
          most == Double.MAX_VALUE
              ? "expected a number of at least 0."
              : "expected percent per year, from 0 to %.0f.".formatted(most));
    }
    return value.number();
  }

  private static double positive(YamlValue value) {
    if (!(value.number() > 0)) {
      throw value.error("expected a number above 0.");
    }
    return value.number();
  }

  private Quantity quantity(@Nullable YamlValue value, String label) {
    return part(value, v -> quantities.read(v, label, 0, Double.POSITIVE_INFINITY), Quantity.of(0));
  }

  private static Terms.Execution execution(YamlValue value) {
    String written = value.oneOf("execution", List.of("next-open", "close"));
    return written.equals("close") ? Terms.Execution.CLOSE : Terms.Execution.NEXT_OPEN;
  }
}
