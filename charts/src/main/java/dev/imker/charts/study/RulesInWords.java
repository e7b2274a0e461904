package dev.imker.charts.study;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.strategy.Orders;
import dev.imker.charts.strategy.Portfolio;
import dev.imker.charts.strategy.RuleWords;
import dev.imker.charts.strategy.Terms;
import dev.imker.charts.strategy.TradingStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was traded by which rules and at which costs, for whoever reads the report alone. */
final class RulesInWords {
  private static final double[] NONE = {};
  private final Map<String, String> lines = new LinkedHashMap<>();

  private RulesInWords() {}

  /**
   * Says it line by line.
   *
   * @param parameters the numbers that were chosen
   */
  static Map<String, String> of(Analysis analysis, double[] parameters) {
    RulesInWords words = new RulesInWords();
    TradingStrategy bound = analysis.strategy().bind(parameters);
    words.side("long", bound.longSide());
    words.side("short", bound.shortSide());
    words.portfolio(bound.portfolio());
    words.terms(bound.terms(), bound.portfolio() != null);
    words.warmUp(bound);
    return words.lines;
  }

  private void side(String name, TradingStrategy.@Nullable Side side) {
    if (side == null) {
      return;
    }
    lines.put("enter " + name, RuleWords.of(side.enter()));
    lines.put("leave " + name, RuleWords.of(side.exit()));
    List<String> orders = orders(side.orders());
    if (!orders.isEmpty()) {
      lines.put("orders " + name, String.join("; ", orders));
    }
  }

  private static List<String> orders(Orders orders) {
    List<String> words = new ArrayList<>();
    Orders.Entry entry = orders.entry();
    if (entry != null) {
      words.add(
          "enter by a %s order at %s, for %s bars"
              .formatted(
                  entry.stop() ? "stop" : "limit",
                  RuleWords.series(entry.level()),
                  RuleWords.number(entry.bars())));
    }
    Orders.Distance stop = orders.stopLoss();
    if (stop != null) {
      words.add("stop loss at " + distance(stop));
    }
    Orders.Distance trailing = orders.trailing();
    if (trailing != null) {
      words.add("trailing stop at " + distance(trailing));
    }
    for (Orders.Target target : orders.targets()) {
      Quantity share = target.sharePercent();
      String part = share == null ? "" : " for " + RuleWords.number(share) + " % of the position";
      words.add("take profit at " + distance(target.distance()) + part);
    }
    return words;
  }

  private static String distance(Orders.Distance distance) {
    Quantity bars = distance.atrBars();
    String amount = RuleWords.number(distance.amount());
    return bars == null
        ? amount + " %"
        : "%s average true ranges of %s bars".formatted(amount, RuleWords.number(bars));
  }

  private void portfolio(@Nullable Portfolio portfolio) {
    if (portfolio == null) {
      return;
    }
    Quantity positions = portfolio.positions();
    String many =
        positions == null ? "all markets" : RuleWords.number(positions) + " positions at most";
    lines.put("one account", many + rank(portfolio));
    lines.put(
        "weights",
        portfolio.weighting() == Portfolio.Weighting.FIXED
            ? portfolio.fixedWeights().toString().replaceAll("[{}]", "") + " %"
            : label(portfolio.weighting()));
    lines.put("rebalanced", label(portfolio.rebalancing()));
  }

  private static String rank(Portfolio portfolio) {
    return portfolio.rank() == null
        ? ""
        : ", those with the %s %s first"
            .formatted(
                portfolio.highestFirst() ? "highest" : "lowest",
                RuleWords.series(portfolio.rank()));
  }

  private void terms(Terms terms, boolean shared) {
    lines.put(
        "orders are filled",
        terms.execution() == Terms.Execution.CLOSE
            ? "at the close that gave the signal"
            : "at the open after the signal");
    lines.put("capital", amount(terms.capital()) + (shared ? "" : " for each market"));
    if (!shared) {
      lines.put("size", size(terms.sizing()) + (terms.wholeUnits() ? ", whole units" : ""));
    }
    lines.put(
        "fees of an order",
        "%s %% and %s, at least %s"
            .formatted(
                amount(terms.feePercent().at(NONE)),
                amount(terms.feeFixed().at(NONE)),
                amount(terms.feeMinimum())));
    lines.put("slippage", amount(terms.slippagePercent().at(NONE)) + " %");
    if (terms.borrowPercent() > 0) {
      lines.put("borrowing", amount(terms.borrowPercent()) + " % per year on short positions");
    }
    if (terms.riskFreePercent() > 0) {
      lines.put("risk-free rate", amount(terms.riskFreePercent()) + " % per year");
    }
    if (terms.entries() != 1) {
      lines.put("entries", "up to " + terms.entries() + " signals make a position");
    }
    if (terms.leverage() != 1) {
      lines.put("leverage", "up to " + amount(terms.leverage()) + " times the account");
    }
  }

  private static String size(Terms.Sizing sizing) {
    String amount = amount(sizing.amount().at(NONE));
    String second = amount(sizing.second().at(NONE));
    return switch (sizing.kind()) {
      case EQUITY_PERCENT -> amount + " % of the account";
      case CASH -> amount + " of money";
      case UNITS -> amount + " units";
      case RISK_PERCENT ->
          "%s %% of the account are lost at a stop %s %% away".formatted(amount, second);
      case ATR_RISK_PERCENT ->
          "%s %% of the account are lost when the price goes %s average true ranges"
              .formatted(amount, second);
      case VOLATILITY_PERCENT -> "sized to move by %s %% per year".formatted(amount);
      case KELLY -> amount + " times what Kelly's formula says";
    };
  }

  private void warmUp(TradingStrategy bound) {
    lines.put(
        "first signal",
        bound.warmUpBars() == TradingStrategy.UNTIL_SETTLED
            ? "once all indicators are warmed up"
            : "after %d bars".formatted(bound.warmUpBars()));
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String amount(double value) {
    return RuleWords.number(Quantity.of(value));
  }
}
