package dev.imker.charts.strategy;

import java.util.List;

/** A rule made ready for the bars of one market. */
interface Condition {
  boolean holds(int bar, Holding holding);

  /** The first bar from {@code from} to {@code last} at which it holds, or -1. */
  default int first(int from, int last, Holding holding) {
    for (int bar = from; bar <= last; bar++) {
      if (holds(bar, holding)) {
        return bar;
      }
    }
    return -1;
  }

  /** Depends on the market alone. */
  record Fixed(BarSet bars) implements Condition {
    @Override
    public boolean holds(int bar, Holding holding) {
      return bars.contains(bar);
    }

    @Override
    public int first(int from, int last, Holding holding) {
      return bars.first(from, last);
    }
  }

  /** All parts, of which at least one depends on the position. */
  record Every(List<Condition> parts) implements Condition {
    @Override
    public boolean holds(int bar, Holding holding) {
      for (Condition part : parts) {
        if (!part.holds(bar, holding)) {
          return false;
        }
      }
      return true;
    }
  }

  /** One of the parts, of which at least one depends on the position. */
  record Either(List<Condition> parts) implements Condition {
    @Override
    public boolean holds(int bar, Holding holding) {
      for (Condition part : parts) {
        if (part.holds(bar, holding)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public int first(int from, int last, Holding holding) {
      int best = -1;
      int limit = last;
      for (Condition part : parts) {
        int bar = part.first(from, limit, holding);
        if (bar >= 0) {
          best = bar;
          limit = bar - 1;
        }
      }
      return best;
    }
  }

  /** The opposite of a part that depends on the position. */
  record Opposite(Condition part) implements Condition {
    @Override
    public boolean holds(int bar, Holding holding) {
      return !part.holds(bar, holding);
    }
  }
}
