package dev.imker.charts.market;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks for candles that cannot be, or that look like mistakes of the data. */
public final class MarketQuality {
  private static final int MAX_EXAMPLES = 3;
  private static final double ROUNDING = 1e-6;

  /** A close below this share of the one before is more likely a split than a day's loss. */
  private static final double SPLIT = 0.5;

  /** A close at this multiple of its neighbours is more likely a typing error than a price. */
  private static final double OUTLIER = 5;

  private final Market market;
  private final List<String> found = new ArrayList<>();

  private MarketQuality(Market market) {
    this.market = market;
  }

  /** What is strange about a market, a sentence for each kind; none if nothing is. */
  public static List<String> notes(Market market) {
    MarketQuality quality = new MarketQuality(market);
    quality.outside("close", market.close());
    quality.outside("open", market.open());
    quality.jumps();
    return List.copyOf(quality.found);
  }

  private void outside(String what, double[] price) {
    List<String> above = new ArrayList<>();
    List<String> below = new ArrayList<>();
    for (int i = 0; i < market.bars(); i++) {
      if (price[i] > market.high()[i] * (1 + ROUNDING)) {
        above.add(at(i) + " (" + number(price[i]) + " above " + number(market.high()[i]) + ")");
      } else if (price[i] < market.low()[i] * (1 - ROUNDING)) {
        below.add(at(i) + " (" + number(price[i]) + " below " + number(market.low()[i]) + ")");
      }
    }
    tell("the " + what + " is above the high", above);
    tell("the " + what + " is below the low", below);
  }

  private void jumps() {
    double[] close = market.close();
    List<String> splits = new ArrayList<>();
    List<String> outliers = new ArrayList<>();
    for (int i = 1; i < close.length; i++) {
      double change = close[i] / close[i - 1];
      boolean back = i + 1 < close.length && Math.abs(close[i + 1] / close[i - 1] - 1) < 1 - SPLIT;
      if ((change >= OUTLIER || change <= 1 / OUTLIER) && back) {
        outliers.add(at(i) + " (" + number(close[i - 1]) + ", then " + number(close[i]) + ")");
      } else if ((change <= SPLIT || change >= 1 / SPLIT) && !isReturn(close, i)) {
        splits.add(at(i) + " (" + number(close[i - 1]) + ", then " + number(close[i]) + ")");
      }
    }
    tell("a single close is far from those around it, like a typing error", outliers);
    tell(
        "the price jumps as in a split that the data is not adjusted for (see csv:"
            + " {adjust: true})",
        splits);
  }

  /** The bar behind an outlier jumps back. */
  private static boolean isReturn(double[] close, int bar) {
    return bar >= 2 && Math.abs(close[bar] / close[bar - 2] - 1) < 1 - SPLIT;
  }

  private void tell(String what, List<String> where) {
    if (where.isEmpty()) {
      return;
    }
    int more = where.size() - MAX_EXAMPLES;
    found.add(
        "Data of %s: %s on %s%s."
            .formatted(
                market.name(),
                what,
                String.join(", ", where.subList(0, Math.min(MAX_EXAMPLES, where.size()))),
                more > 0 ? " and " + more + " more days" : ""));
  }

  private String at(int bar) {
    return market.when(bar);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value);
  }
}
