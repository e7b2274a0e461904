package dev.imker.charts.strategy;

import dev.imker.charts.market.Session;
import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.SeriesExpr;
import java.util.List;

/**
 * When to act. Rules have the meaning of the ta4j rules of the same purpose. Equal bound rules hold
 * at the same bars, so that they are evaluated once.
 */
public sealed interface RuleExpr {
  RuleExpr bind(double[] parameters);

  /** Holds when all parts hold. */
  record All(List<RuleExpr> parts) implements RuleExpr {
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public RuleExpr bind(double[] parameters) {
      return new All(parts.stream().map(p -> p.bind(parameters)).toList());
    }
  }

  /** Holds when at least one part holds. */
  record Any(List<RuleExpr> parts) implements RuleExpr {
    public Any {
      parts = List.copyOf(parts);
    }

    @Override
    public RuleExpr bind(double[] parameters) {
      return new Any(parts.stream().map(p -> p.bind(parameters)).toList());
    }
  }

  /** Holds when the other does not. */
  record Not(RuleExpr rule) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new Not(rule.bind(parameters));
    }
  }

  /** How two values compare; a missing value compares to nothing. */
  enum Comparison {
    OVER,
    UNDER,
    AT_LEAST,
    AT_MOST,
    EQUAL
  }

  /** Compares two series at the bar. */
  record Compare(Comparison how, SeriesExpr left, SeriesExpr right) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new Compare(how, left.bind(parameters), right.bind(parameters));
    }
  }

  /** The left series went through the right one, upwards or downwards, with this bar. */
  record Crossed(boolean up, SeriesExpr left, SeriesExpr right) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new Crossed(up, left.bind(parameters), right.bind(parameters));
    }
  }

  /** Of the last bars at least the share {@code strength} rose (or fell). */
  record Moving(boolean up, SeriesExpr of, Quantity bars, Quantity strength) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new Moving(up, of.bind(parameters), bars.bind(parameters), strength.bind(parameters));
    }
  }

  /** The series is at its highest (or lowest) of the last bars. */
  record AtExtreme(boolean highest, SeriesExpr of, Quantity bars) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new AtExtreme(highest, of.bind(parameters), bars.bind(parameters));
    }
  }

  /** An indicator that answers yes or no, such as a candle pattern. */
  record Says(SeriesExpr truth) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new Says(truth.bind(parameters));
    }
  }

  /** The kinds of calendar that {@link OnCalendar} knows. */
  enum Calendar {
    WEEKDAY,
    MONTH,
    DAY_OF_MONTH
  }

  /** The bar's day is one of these; bit n of the mask stands for number n, Monday and January 1. */
  record OnCalendar(Calendar calendar, long mask) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return this;
    }
  }

  /** The bar begins within these hours. */
  record OnClock(Session hours) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return this;
    }
  }

  /** The exits that depend on the price of entry. */
  enum Stop {
    LOSS,
    GAIN,
    TRAILING
  }

  /**
   * The price went so many per cent against (loss), in favour (gain) of the entry, or back from the
   * best of the position (trailing).
   */
  record StopAt(Stop stop, Quantity percent, SeriesExpr price) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new StopAt(stop, percent.bind(parameters), price.bind(parameters));
    }
  }

  /** As {@link StopAt}, with a distance of so many average true ranges. */
  record AtrStopAt(Stop stop, Quantity bars, Quantity factor) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new AtrStopAt(stop, bars.bind(parameters), factor.bind(parameters));
    }
  }

  /** What {@link After} counts from. */
  enum Since {
    ENTRY_IN_BARS,
    ENTRY_IN_DAYS,
    EXIT_IN_BARS
  }

  /** So many bars or days have passed since entry, or bars since the last exit (or none was). */
  record After(Since since, Quantity count) implements RuleExpr {
    @Override
    public RuleExpr bind(double[] parameters) {
      return new After(since, count.bind(parameters));
    }
  }
}
