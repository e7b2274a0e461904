package dev.imker.charts.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A figure of performance. Rates are shares: 0.25 is 25 %. */
public enum Figure {
  TOTAL_RETURN("what the account gained over its start", true),
  CAGR("total return as a yearly rate", true),
  MAX_DRAWDOWN("deepest fall of the account from a peak", true),
  SHARPE("mean over deviation of the returns per bar, per year", false),
  SORTINO("as Sharpe, with the deviation of losses only", false),
  CALMAR("CAGR over deepest fall", false),
  VOLATILITY("deviation of the returns per bar, per year", true),
  WIN_RATE("share of closed trades with a profit", true),
  PROFIT_FACTOR("sum of profits over sum of losses, at most 1000", false),
  EXPOSURE("share of bars with a position", true),
  TRADES("closed trades", false),
  AVERAGE_TRADE("mean profit of a closed trade over its value at entry", true),
  FEES("fees paid", false),
  FINAL_EQUITY("the account at the end", false),
  BUY_AND_HOLD("what the market itself gained", true),
  BETA("how much of the market's moves the account makes", false),
  ALPHA("yearly return that the market's moves do not explain", true);

  private final String meaning;
  private final boolean rate;

  Figure(String meaning, boolean rate) {
    this.meaning = meaning;
    this.rate = rate;
  }

  public String meaning() {
    return meaning;
  }

  /** Whether people read it in per cent. */
  public boolean isRate() {
    return rate;
  }

  /** The name in files and results. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> labels() {
    return Stream.of(values()).map(Figure::label).toList();
  }

  /** Finds by name; hyphens, underscores and case do not matter. */
  public static Optional<Figure> find(String name) {
    String simple = name.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    return Stream.of(values()).filter(f -> f.label().replace("-", "").equals(simple)).findFirst();
  }
}
