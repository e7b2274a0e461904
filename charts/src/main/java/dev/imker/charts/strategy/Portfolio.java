package dev.imker.charts.strategy;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.SeriesExpr;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.WeekFields;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How one account is shared by many markets.
 *
 * @param positions how many at once at most; null for as many as there are markets
 * @param rank by which markets are preferred; null for the order of their names
 * @param highestFirst whether much is better
 * @param fixedWeights per cent of the account by market, for {@link Weighting#FIXED}
 * @param volatilityBars over which changes are measured, for {@link Weighting#INVERSE_VOLATILITY}
 * @param onlyWhenRebalanced whether positions begin on days of rebalancing only
 */
public record Portfolio(
    @Nullable Quantity positions,
    @Nullable SeriesExpr rank,
    boolean highestFirst,
    Weighting weighting,
    Map<String, Double> fixedWeights,
    Quantity volatilityBars,
    Rebalancing rebalancing,
    boolean onlyWhenRebalanced) {
  public Portfolio {
    fixedWeights = Map.copyOf(fixedWeights);
  }

  /** What a position is worth when it is entered or rebalanced. */
  public enum Weighting {
    EQUAL,
    /** The calmer a market, the more of it. */
    INVERSE_VOLATILITY,
    FIXED
  }

  /** When positions are brought back to their weights. */
  public enum Rebalancing {
    NEVER,
    DAILY,
    WEEKLY,
    MONTHLY,
    QUARTERLY,
    YEARLY;

    public static List<String> labels() {
      return Stream.of(values()).map(r -> r.name().toLowerCase(Locale.ROOT)).toList();
    }

    /** Whether a period begins with a day that follows another. */
    boolean isDue(LocalDate before, LocalDate day) {
      return switch (this) {
        case NEVER -> false;
        case DAILY -> !before.equals(day);
        case WEEKLY ->
            !before
                .with(WeekFields.ISO.dayOfWeek(), 1)
                .equals(day.with(WeekFields.ISO.dayOfWeek(), 1));
        case MONTHLY -> before.getMonth() != day.getMonth() || before.getYear() != day.getYear();
        case QUARTERLY ->
            before.get(IsoFields.QUARTER_OF_YEAR) != day.get(IsoFields.QUARTER_OF_YEAR)
                || before.getYear() != day.getYear();
        case YEARLY -> before.getYear() != day.getYear();
      };
    }
  }

  Portfolio bind(double[] parameters) {
    return new Portfolio(
        positions == null ? null : positions.bind(parameters),
        rank == null ? null : rank.bind(parameters),
        highestFirst,
        weighting,
        fixedWeights,
        volatilityBars.bind(parameters),
        rebalancing,
        onlyWhenRebalanced);
  }
}
