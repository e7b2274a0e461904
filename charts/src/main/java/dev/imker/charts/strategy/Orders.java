package dev.imker.charts.strategy;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.SeriesExpr;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Orders that rest in the market and are filled inside a bar, at their own price or, if the bar
 * opens beyond it, at its open.
 *
 * @param entry how an entry signal is carried out; null: at once, as the terms say
 * @param stopLoss from the price of entry
 * @param trailing from the best price since, of the bars that have ended
 * @param targets in the order in which they are reached
 */
public record Orders(
    @Nullable Entry entry,
    @Nullable Distance stopLoss,
    @Nullable Distance trailing,
    List<Target> targets) {
  public static final Orders NONE = new Orders(null, null, null, List.of());

  public Orders {
    targets = List.copyOf(targets);
  }

  /** Whether anything rests in the market while a position is open. */
  public boolean guardPosition() {
    return stopLoss != null || trailing != null || !targets.isEmpty();
  }

  /**
   * @param stop whether it waits for a worse price than now (a stop order), or a better one (limit)
   * @param level as of the bar of the signal
   * @param bars how many bars it stays in the market
   */
  public record Entry(boolean stop, SeriesExpr level, Quantity bars) {
    Entry bind(double[] parameters) {
      return new Entry(stop, level.bind(parameters), bars.bind(parameters));
    }
  }

  /**
   * How far away from a price.
   *
   * @param atrBars of the average true range the amount is in; null: the amount is in per cent
   */
  public record Distance(Quantity amount, @Nullable Quantity atrBars) {
    Distance bind(double[] parameters) {
      return new Distance(
          amount.bind(parameters), atrBars == null ? null : atrBars.bind(parameters));
    }
  }

  /**
   * @param sharePercent of the position as it was entered; null: all that is left
   */
  public record Target(Distance distance, @Nullable Quantity sharePercent) {
    Target bind(double[] parameters) {
      return new Target(
          distance.bind(parameters), sharePercent == null ? null : sharePercent.bind(parameters));
    }
  }

  Orders bind(double[] parameters) {
    return new Orders(
        entry == null ? null : entry.bind(parameters),
        stopLoss == null ? null : stopLoss.bind(parameters),
        trailing == null ? null : trailing.bind(parameters),
        targets.stream().map(target -> target.bind(parameters)).toList());
  }
}
