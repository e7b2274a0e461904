package dev.imker.charts.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A figure of performance. Rates are shares: 0.25 is 25 %. */
public enum Figure {
  TOTAL_RETURN("gain relative to the initial account", true),
  CAGR("annualised total return", true),
  MAX_DRAWDOWN("largest fall of the account from a peak", true),
  SHARPE("mean divided by deviation of the returns per bar, annualised", false),
  SORTINO("like Sharpe, with the deviation of losses only", false),
  CALMAR("CAGR divided by the largest fall", false),
  VOLATILITY("deviation of the returns per bar, annualised", true),
  WIN_RATE("share of profitable closed trades", true),
  PROFIT_FACTOR("sum of profits divided by sum of losses, at most 1000", false),
  EXPOSURE("share of bars with a position", true),
  TRADES("closed trades", false),
  AVERAGE_TRADE("mean profit of a closed trade relative to its value at entry", true),
  FEES("fees paid", false),
  DIVIDENDS("dividends received, less those paid on short positions", false),
  FINAL_EQUITY("the account at the end", false),
  BUY_AND_HOLD("gain of the market itself", true),
  BETA("how much the account moves with the market", false),
  ALPHA("annual return not explained by the market", true);

  private static final Pattern BETWEEN_WORDS = Pattern.compile("[-_ ]");
  private static final Map<String, Figure> BY_NAME =
      Stream.of(values()).collect(Collectors.toMap(f -> simple(f.label), Function.identity()));

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
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

  /** Whether it is an amount of the account's currency. */
  public boolean isMoney() {
    return this == FINAL_EQUITY || this == FEES || this == DIVIDENDS;
  }

  /** The name in files and results. */
  public String label() {
    return label;
  }

  public static List<String> labels() {
    return Stream.of(values()).map(Figure::label).toList();
  }

  /** Finds by name; hyphens, underscores and case do not matter. */
  public static Optional<Figure> find(String name) {
    return Optional.ofNullable(BY_NAME.get(simple(name)));
  }

  private static String simple(String name) {
    return BETWEEN_WORDS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
  }
}
