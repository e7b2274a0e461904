package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The orders of one side on one market. Within a bar the way of the price is unknown, so the worse
 * is assumed: what the open has passed is filled at the open; then the stop comes before any
 * target. One per run, reused for every position.
 */
final class RestingOrders {
  /** A distance with its average true ranges, if it is in those. */
  record Reach(double amount, double @Nullable [] atr) {
    /**
     * @param known the last bar that has ended
     */
    double from(double price, int known) {
      if (atr == null) {
        return price * amount / 100;
      }
      return known < 0 ? Double.NaN : amount * atr[known];
    }
  }

  /**
   * @param share of the position as it was entered; negative: all that is left
   */
  record Aim(Reach reach, double share) {}

  /**
   * An order that was filled.
   *
   * @param share of the position as it was entered; negative: all that is left
   * @param atAnyPrice whether it was a stop, which slips
   */
  record Fill(double price, double share, boolean atAnyPrice, String reason) {}

  /** An entry order of this side; levels by the bar of the signal. */
  record Entry(boolean stop, double[] level, int bars) {
    /** The price at which a bar fills it; NaN if it does not. */
    double fill(Market market, int signal, int bar, boolean isLong) {
      double wanted = level[signal];
      boolean upwards = stop == isLong;
      double open = market.open()[bar];
      if (upwards ? open >= wanted : open <= wanted) {
        return open;
      }
      boolean reached = upwards ? market.high()[bar] >= wanted : market.low()[bar] <= wanted;
      return reached ? wanted : Double.NaN;
    }
  }

  static final double ALL = -1;
  static final RestingOrders NONE = new RestingOrders(null, null, List.of(), null);

  private final @Nullable Reach stopLoss;
  private final @Nullable Reach trailing;
  private final List<Aim> aims;
  private final @Nullable Entry entry;

  private int side;
  private double stop;
  private String stopName = "";
  private double best;
  private final Deque<Fill> targets = new ArrayDeque<>();

  RestingOrders(
      @Nullable Reach stopLoss, @Nullable Reach trailing, List<Aim> aims, @Nullable Entry entry) {
    this.stopLoss = stopLoss;
    this.trailing = trailing;
    this.aims = aims;
    this.entry = entry;
  }

  /** How entry signals are carried out; null: at once. */
  @Nullable Entry entry() {
    return entry;
  }

  boolean guardPosition() {
    return stopLoss != null || trailing != null || !aims.isEmpty();
  }

  /** A position was entered. */
  void opened(boolean isLong, double price, int known) {
    side = isLong ? 1 : -1;
    stop = Double.NaN;
    best = price;
    List<Fill> levels = new ArrayList<>();
    for (Aim aim : aims) {
      double level = price + side * aim.reach().from(price, known);
      levels.add(new Fill(level, aim.share(), false, "take-profit"));
    }
    levels.sort(Comparator.comparingDouble(target -> target.price() * side)); // nearest first
    targets.clear();
    targets.addAll(levels);
    if (stopLoss != null) {
      tighten(price - side * stopLoss.from(price, known), "stop-loss");
    }
    trail(known);
  }

  /**
   * Goes on with a position that was entered under other numbers: its levels stay where they are,
   * and a stop trails at the new distance from now on.
   */
  void takeOver(RestingOrders before) {
    if (before == this) {
      return;
    }
    side = before.side;
    stop = before.stop;
    stopName = before.stopName;
    best = before.best;
    targets.clear();
    targets.addAll(before.targets);
  }

  private void trail(int known) {
    if (trailing != null) {
      tighten(best - side * trailing.from(best, known), "trailing-stop");
    }
  }

  /** A stop never goes back. */
  private void tighten(double level, String name) {
    if (!Double.isNaN(level) && (Double.isNaN(stop) || (level - stop) * side > 0)) {
      stop = level;
      stopName = name;
    }
  }

  /**
   * The next order that a bar fills; null when there is none.
   *
   * @param stopOnly for the bar inside of which the position was entered: what it had reached
   *     before is unknown, so that only the worse counts
   */
  @Nullable Fill next(Market market, int bar, boolean stopOnly) {
    double open = market.open()[bar];
    if (!stopOnly) {
      if ((open - stop) * side <= 0) {
        return new Fill(open, ALL, true, stopName);
      }
      if (isReached(open)) {
        return target(open);
      }
    }
    double worst = side > 0 ? market.low()[bar] : market.high()[bar];
    if ((worst - stop) * side <= 0) {
      return new Fill(stop, ALL, true, stopName);
    }
    double reached = side > 0 ? market.high()[bar] : market.low()[bar];
    if (!stopOnly && isReached(reached)) {
      return target(targets.element().price());
    }
    return null;
  }

  private boolean isReached(double price) {
    Fill target = targets.peek();
    return target != null && (price - target.price()) * side >= 0;
  }

  private Fill target(double price) {
    Fill target = targets.remove();
    return new Fill(price, target.share(), target.atAnyPrice(), target.reason());
  }

  /** A bar has ended with the position open; its extreme moves the trailing stop of the next. */
  void ended(Market market, int bar, boolean enteredInside) {
    double extreme =
        enteredInside ? market.close()[bar] : side > 0 ? market.high()[bar] : market.low()[bar];
    best = side > 0 ? Math.max(best, extreme) : Math.min(best, extreme);
    trail(bar);
  }
}
