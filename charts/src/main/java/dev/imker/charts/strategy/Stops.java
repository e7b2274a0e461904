package dev.imker.charts.strategy;

import dev.imker.charts.strategy.RuleExpr.Stop;

/**
 * The exits that depend on the price of entry, on arrays. They start from the price of the fill;
 * ta4j adds the fees to it.
 */
final class Stops {
  private Stops() {}

  static Condition percent(Stop stop, double percent, double[] price) {
    return switch (stop) {
      case LOSS -> new Threshold(price, (100 - percent) / 100, (100 + percent) / 100, true);
      case GAIN -> new Threshold(price, (100 + percent) / 100, (100 - percent) / 100, false);
      case TRAILING -> new Trailing(price, (100 - percent) / 100, (100 + percent) / 100);
    };
  }

  static Condition atr(Stop stop, double[] price, double[] atr, double factor) {
    return switch (stop) {
      case LOSS -> new AtrThreshold(price, atr, factor, true);
      case GAIN -> new AtrThreshold(price, atr, factor, false);
      case TRAILING -> new AtrTrailing(price, atr, factor);
    };
  }

  /** The price reached a multiple of the entry price; long positions lose downwards. */
  private record Threshold(double[] price, double longRatio, double shortRatio, boolean loss)
      implements Condition {
    @Override
    public boolean holds(int bar, Holding holding) {
      if (!holding.isOpen()) {
        return false;
      }
      double limit = holding.entryPrice * (holding.isLong ? longRatio : shortRatio);
      return holding.isLong == loss ? price[bar] <= limit : price[bar] >= limit;
    }

    @Override
    public int first(int from, int last, Holding holding) {
      if (!holding.isOpen()) {
        return -1;
      }
      double limit = holding.entryPrice * (holding.isLong ? longRatio : shortRatio);
      boolean downwards = holding.isLong == loss;
      for (int bar = from; bar <= last; bar++) {
        if (downwards ? price[bar] <= limit : price[bar] >= limit) {
          return bar;
        }
      }
      return -1;
    }
  }

  /** Remembers the best price of the position as far as it was asked for. */
  private static final class BestPrice {
    private final double[] price;
    private int entryBar = Holding.NEVER;
    private int seen;
    private double best;

    BestPrice(double[] price) {
      this.price = price;
    }

    double at(int bar, Holding holding) {
      if (holding.entryBar != entryBar || bar < seen) {
        entryBar = holding.entryBar;
        seen = entryBar;
        best = price[entryBar];
      }
      while (seen < bar) {
        double next = price[++seen];
        best = holding.isLong ? Math.max(best, next) : Math.min(best, next);
      }
      return best;
    }
  }

  private static final class Trailing implements Condition {
    private final double[] price;
    private final double longRatio;
    private final double shortRatio;
    private final BestPrice best;

    Trailing(double[] price, double longRatio, double shortRatio) {
      this.price = price;
      this.longRatio = longRatio;
      this.shortRatio = shortRatio;
      this.best = new BestPrice(price);
    }

    @Override
    public boolean holds(int bar, Holding holding) {
      if (!holding.isOpen()) {
        return false;
      }
      double reached = best.at(bar, holding);
      return holding.isLong
          ? price[bar] <= reached * longRatio
          : price[bar] >= reached * shortRatio;
    }
  }

  private record AtrThreshold(double[] price, double[] atr, double factor, boolean loss)
      implements Condition {
    @Override
    public boolean holds(int bar, Holding holding) {
      if (!holding.isOpen()) {
        return false;
      }
      double gain = (price[bar] - holding.entryPrice) * (holding.isLong ? 1 : -1);
      double distance = atr[bar] * factor;
      return loss ? gain < -distance : gain >= distance;
    }
  }

  private static final class AtrTrailing implements Condition {
    private final double[] price;
    private final double[] atr;
    private final double factor;
    private final BestPrice best;

    AtrTrailing(double[] price, double[] atr, double factor) {
      this.price = price;
      this.atr = atr;
      this.factor = factor;
      this.best = new BestPrice(price);
    }

    @Override
    public boolean holds(int bar, Holding holding) {
      if (!holding.isOpen()) {
        return false;
      }
      double reached = best.at(bar, holding);
      double distance = atr[bar] * factor;
      return holding.isLong
          ? price[bar] < Math.max(holding.entryPrice, reached) - distance
          : price[bar] > Math.min(holding.entryPrice, reached) + distance;
    }
  }
}
