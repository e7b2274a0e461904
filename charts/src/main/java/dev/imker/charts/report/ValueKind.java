package dev.imker.charts.report;

import dev.imker.charts.outcome.Figure;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** How the numbers of a column are read. */
enum ValueKind {
  RATE,
  MONEY,
  COUNT,
  PLAIN;

  private static final Set<String> RATES =
      Set.of(
          "profit rate",
          "mean profit rate",
          "worst (mae)",
          "best (mfe)",
          "mean worst (mae)",
          "mean best (mfe)",
          "depth",
          "draw-down",
          "whole year");

  /** Four decimals would not show it. */
  private static final double SMALL = 0.01;

  private static final Set<String> SUMS =
      Set.of("profit", "fees", "dividends", "account", "buy and hold", "final-equity");
  private static final Set<String> COUNTS =
      Set.of("trades", "closed trades", "won", "bars held", "days down", "days back", "markets");

  /**
   * Finds by the name of a column or figure.
   *
   * @param column as in a header; "mean" before a figure does not matter
   */
  static ValueKind of(String column) {
    String name = column.toLowerCase(Locale.ROOT);
    Optional<Figure> figure = Figure.find(name.startsWith("mean ") ? name.substring(5) : name);
    if (RATES.contains(name) || isMonth(column) || figure.filter(Figure::isRate).isPresent()) {
      return RATE;
    }
    if (SUMS.contains(name) || figure.filter(Figure::isMoney).isPresent()) {
      return MONEY;
    }
    return COUNTS.contains(name) ? COUNT : PLAIN;
  }

  private static boolean isMonth(String column) {
    return Months.HEADER.indexOf(column) > 1;
  }

  /** The format of a cell in a spreadsheet. */
  String format(double value) {
    return switch (this) {
      case RATE -> "0.00%";
      case MONEY -> "#,##0.00";
      case COUNT -> "#,##0";
      case PLAIN ->
          value == Math.rint(value) ? "0" : Math.abs(value) < SMALL ? "0.0000E+00" : "0.0000";
    };
  }

  /** As text for people. */
  String text(double value) {
    return switch (this) {
      case RATE -> String.format(Locale.ROOT, "%.2f %%", value * 100);
      case MONEY -> String.format(Locale.ROOT, "%,.2f", value);
      case COUNT -> NumberTexts.plain(Math.rint(value * 10) / 10);
      case PLAIN ->
          value == Math.rint(value)
              ? NumberTexts.plain(value)
              : String.format(Locale.ROOT, "%.4g", value);
    };
  }
}
