package dev.imker.charts.series;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What a recursive average (EMA, Wilder's, and all that is built of them) starts with. */
public enum Seeding {
  /** The mean of its first bars, as Wilder did and most programs do. */
  SMA,
  /** A single value, as ta4j does. */
  FIRST;

  /**
   * How much of its start may still be in a recursive average when it counts as settled: with this
   * share the difference between any two starts is left.
   */
  public static final double TOLERANCE = 0.01;

  public static List<String> labels() {
    return Stream.of(values()).map(s -> s.name().toLowerCase(Locale.ROOT)).toList();
  }

  /** How many bars after its start an average with this weight of the newest bar is settled. */
  public static int settlingBars(double weight) {
    return weight >= 1 ? 0 : (int) Math.ceil(Math.log(TOLERANCE) / Math.log1p(-weight));
  }
}
