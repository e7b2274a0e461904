package dev.imker.charts.spec;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.strategy.Terms;
import dev.imker.charts.strategy.TradingStrategy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the strategy: indicators, rules of either side, terms. */
final class StrategyReader {
  private static final List<String> FIELDS =
      List.of(
          "side",
          "indicators",
          "enter",
          "exit",
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
          "warm-up",
          "seed");
  private static final List<String> SIZES =
      List.of("equity-percent", "cash", "units", "risk-percent");

  private final Quantities quantities;
  private final SeriesReader series;
  private final RuleReader rules;

  StrategyReader(Quantities quantities) {
    this.quantities = quantities;
    this.series = new SeriesReader(quantities);
    this.rules = new RuleReader(series, quantities);
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
        throw value.error("give either enter and exit, or long and short with their own.");
      }
      YamlValue side = map.get("side");
      boolean isLong = side == null || side.oneOf("side", List.of("long", "short")).equals("long");
      TradingStrategy.Side only = rules(map, value, "");
      longSide = isLong ? only : null;
      shortSide = isLong ? null : only;
    }
    if (longSide == null && shortSide == null) {
      throw value.error("there is no rule to enter by; add 'enter:' and 'exit:'.");
    }
    return new TradingStrategy(
        longSide, shortSide, terms(map), warmUp(map.get("warm-up")), seeding(map.get("seed")));
  }

  private TradingStrategy.@Nullable Side side(Map<String, YamlValue> map, String name) {
    YamlValue value = map.get(name);
    return value == null ? null : rules(value.map(List.of("enter", "exit")), value, name + ".");
  }

  private TradingStrategy.Side rules(Map<String, YamlValue> map, YamlValue parent, String prefix) {
    YamlValue enter = Quantities.require(map, "enter", parent);
    YamlValue exit = Quantities.require(map, "exit", parent);
    return new TradingStrategy.Side(
        rules.read(enter, prefix + "enter", true), rules.read(exit, prefix + "exit", false));
  }

  private static int warmUp(@Nullable YamlValue value) {
    if (value == null || (value.isScalar() && value.text().equals("auto"))) {
      return TradingStrategy.UNTIL_SETTLED;
    }
    return value.whole(0);
  }

  private static Seeding seeding(@Nullable YamlValue value) {
    return value == null
        ? Seeding.SMA
        : Seeding.values()[Seeding.labels().indexOf(value.oneOf("seed", Seeding.labels()))];
  }

  private Terms terms(Map<String, YamlValue> map) {
    Terms usual = Terms.USUAL;
    YamlValue capital = map.get("capital");
    YamlValue wholeUnits = map.get("whole-units");
    YamlValue leverage = map.get("leverage");
    YamlValue fees = map.get("fees");
    Map<String, YamlValue> fee =
        fees == null ? Map.of() : fees.map(List.of("percent", "fixed", "minimum"));
    return new Terms(
        execution(map.get("execution")),
        capital == null ? usual.capital() : positive(capital),
        sizing(map.get("size")),
        wholeUnits != null && wholeUnits.flag(),
        leverage == null ? usual.leverage() : positive(leverage),
        quantity(fee.get("percent"), "fees.percent"),
        quantity(fee.get("fixed"), "fees.fixed"),
        rate(fee.get("minimum"), Double.MAX_VALUE),
        rate(map.get("borrow"), 1000),
        rate(map.get("risk-free"), 100),
        slippage(map.get("slippage")));
  }

  private static double rate(@Nullable YamlValue value, double most) {
    if (value != null && !(value.number() >= 0 && value.number() <= most)) {
      throw value.error(
          most == Double.MAX_VALUE
              ? "expected a number of at least 0."
              : "expected per cent a year, from 0 to %.0f.".formatted(most));
    }
    return value == null ? 0 : value.number();
  }

  private static double positive(YamlValue value) {
    if (!(value.number() > 0)) {
      throw value.error("expected a number above 0.");
    }
    return value.number();
  }

  private Quantity quantity(@Nullable YamlValue value, String label) {
    return value == null
        ? Quantity.of(0)
        : quantities.read(value, label, 0, Double.POSITIVE_INFINITY);
  }

  private Quantity slippage(@Nullable YamlValue value) {
    return value == null ? Quantity.of(0) : quantities.read(value, "slippage", 0, 100);
  }

  private static Terms.Execution execution(@Nullable YamlValue value) {
    if (value == null) {
      return Terms.Execution.NEXT_OPEN;
    }
    String written = value.oneOf("execution", List.of("next-open", "close"));
    return written.equals("close") ? Terms.Execution.CLOSE : Terms.Execution.NEXT_OPEN;
  }

  private Terms.Sizing sizing(@Nullable YamlValue value) {
    if (value == null) {
      return Terms.USUAL.sizing();
    }
    Map<String, YamlValue> map =
        value.map(List.of("equity-percent", "cash", "units", "risk-percent", "stop-percent"));
    List<String> given = SIZES.stream().filter(map::containsKey).toList();
    if (given.size() != 1) {
      throw value.error("give exactly one of " + String.join(", ", SIZES) + ".");
    }
    String name = given.getFirst();
    if (name.equals("risk-percent") != map.containsKey("stop-percent")) {
      throw value.error("risk-percent needs stop-percent, and only it does.");
    }
    return new Terms.Sizing(
        Terms.Sizing.Kind.values()[SIZES.indexOf(name)],
        quantity(map.get(name), "size"),
        quantity(map.get("stop-percent"), "size.stop"));
  }
}
