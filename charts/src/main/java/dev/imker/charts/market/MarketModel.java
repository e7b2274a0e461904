package dev.imker.charts.market;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How a synthetic market moves.
 *
 * <p>Yearly figures: {@code drift} and {@code volatility} of the logarithm of the price; {@code
 * reversion} is the share of the distance to the long-run mean that is closed per year; the others
 * are expected events per year.
 */
public enum MarketModel {
  TREND(0.10, 0.18, 0, 0, 0, 0),
  MEAN_REVERSION(0, 0.22, 6, 0, 0, 0),
  JUMPS(0.05, 0.16, 0, 5, 0, 0),
  SPLITS(0.12, 0.20, 0, 0, 0.3, 0),
  GAPS(0.06, 0.18, 0, 1, 0, 4),
  MIXED(0.07, 0.20, 0.8, 3, 0, 1.5);

  final double drift;
  final double volatility;
  final double reversion;
  final double jumpsPerYear;
  final double splitsPerYear;
  final double gapsPerYear;

  MarketModel(
      double drift,
      double volatility,
      double reversion,
      double jumpsPerYear,
      double splitsPerYear,
      double gapsPerYear) {
    this.drift = drift;
    this.volatility = volatility;
    this.reversion = reversion;
    this.jumpsPerYear = jumpsPerYear;
    this.splitsPerYear = splitsPerYear;
    this.gapsPerYear = gapsPerYear;
  }

  /** The name used in files and commands. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static List<String> labels() {
    return Stream.of(values()).map(MarketModel::label).toList();
  }
}
