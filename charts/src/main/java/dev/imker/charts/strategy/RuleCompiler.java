package dev.imker.charts.strategy;

import dev.imker.charts.ChartException;
import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.market.BarTimes;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.Session;
import dev.imker.charts.series.Argument;
import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.series.WholeNumbers;
import dev.imker.charts.strategy.RuleExpr.Comparison;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes bound rules ready for one market. What depends on the market alone becomes a set of bars,
 * is kept, and is combined 64 bars at a time; only the rest is asked bar by bar. For one thread.
 */
final class RuleCompiler {
  private static final int MAX_KEPT_WORDS = 4_000_000;
  private static final double[] NO_PARAMETERS = {};
  private static final double ROUNDING = 1e-12;
  private static final double DAYS_PER_YEAR = 365.25;

  private final SeriesCache series;
  private final Market market;
  private final int bars;
  private final Map<RuleExpr, BarSet> kept = new LinkedHashMap<>(64, 0.75f, true);
  private int unstableBars;

  RuleCompiler(SeriesCache series) {
    this.series = series;
    this.market = series.market();
    this.bars = market.bars();
  }

  /** Forgets the unstable bars met so far. */
  void restartUnstableBars() {
    unstableBars = 0;
  }

  /** The most unstable bars of all series of the rules compiled since the restart. */
  int unstableBars() {
    return unstableBars;
  }

  Condition compile(RuleExpr rule) {
    return switch (rule) {
      case RuleExpr.All(var parts) -> joined(parts, BarSet.all(bars), BarSet::and, true);
      case RuleExpr.Any(var parts) -> joined(parts, BarSet.none(bars), BarSet::or, false);
      case RuleExpr.Not(var part) -> {
        Condition condition = compile(part);
        yield condition instanceof Condition.Fixed(BarSet set)
            ? new Condition.Fixed(set.not())
            : new Condition.Opposite(condition);
      }
      case RuleExpr.StopAt(var stop, var percent, var price) ->
          Stops.percent(stop, number(percent), of(price).values());
      case RuleExpr.AtrStopAt(var stop, var atrBars, var factor) ->
          Stops.atr(stop, market.close(), of(atr(atrBars)).values(), number(factor));
      case RuleExpr.After(var since, var count) -> after(since, number(count));
      default -> new Condition.Fixed(fixed(rule));
    };
  }

  /** The parts of which one has to hold, by name. */
  List<Rules.Reason> reasons(RuleExpr exit) {
    List<RuleExpr> parts = exit instanceof RuleExpr.Any(var several) ? several : List.of(exit);
    return parts.stream()
        .map(part -> new Rules.Reason(RuleWords.name(part), compile(part)))
        .toList();
  }

  RestingOrders compile(Orders orders) {
    Orders.Entry entry = orders.entry();
    return new RestingOrders(
        reach(orders.stopLoss()),
        reach(orders.trailing()),
        orders.targets().stream().map(this::aim).toList(),
        entry == null
            ? null
            : new RestingOrders.Entry(
                entry.stop(), of(entry.level()).values(), whole(entry.bars())));
  }

  private RestingOrders.Aim aim(Orders.Target target) {
    Quantity share = target.sharePercent();
    return new RestingOrders.Aim(
        Objects.requireNonNull(reach(target.distance())),
        share == null ? RestingOrders.ALL : number(share) / 100);
  }

  private RestingOrders.@Nullable Reach reach(Orders.@Nullable Distance distance) {
    if (distance == null) {
      return null;
    }
    Quantity atrBars = distance.atrBars();
    return new RestingOrders.Reach(
        number(distance.amount()), atrBars == null ? null : of(atr(atrBars)).values());
  }

  /** What the sizes of orders depend on: average true ranges, or yearly volatility. */
  double[] risk(Terms.Sizing sizing) {
    return switch (sizing.kind()) {
      case EQUITY_PERCENT, CASH, UNITS, RISK_PERCENT, KELLY -> NO_PARAMETERS;
      case ATR_RISK_PERCENT -> of(atr(sizing.bars())).values();
      case VOLATILITY_PERCENT -> volatility(whole(sizing.bars()));
    };
  }

  /** What a portfolio chooses by and weighs with. */
  Rules.Preference preference(@Nullable Portfolio portfolio) {
    if (portfolio == null) {
      return Rules.Preference.NONE;
    }
    SeriesExpr rank = portfolio.rank();
    boolean weighed = portfolio.weighting() == Portfolio.Weighting.INVERSE_VOLATILITY;
    return new Rules.Preference(
        rank == null ? NO_PARAMETERS : of(rank).values(),
        weighed ? volatility(whole(portfolio.volatilityBars())) : NO_PARAMETERS);
  }

  /** The deviation of the last changes, by the year. */
  private double[] volatility(int count) {
    unstableBars = Math.max(unstableBars, count);
    double[] close = market.close();
    double[] result = new double[bars];
    Arrays.fill(result, Double.NaN);
    for (int i = count; i < bars; i++) {
      double sum = 0;
      double squares = 0;
      for (int k = i - count + 1; k <= i; k++) {
        double change = close[k] / close[k - 1] - 1;
        sum += change;
        squares += change * change;
      }
      double mean = sum / count;
      double perYear = count / (market.daysBetween(i - count, i) / DAYS_PER_YEAR);
      result[i] = Math.sqrt(Math.max(0, squares / count - mean * mean) * perYear);
    }
    return result;
  }

  private static SeriesExpr atr(Quantity atrBars) {
    return SeriesExpr.Call.of("ATRIndicator(BarSeries,int)", Argument.of(atrBars));
  }

  private Condition joined(
      List<RuleExpr> parts, BarSet start, BinaryOperator<BarSet> join, boolean every) {
    BarSet fixed = null;
    List<Condition> moving = new ArrayList<>();
    for (RuleExpr part : parts) {
      Condition condition = compile(part);
      if (condition instanceof Condition.Fixed(BarSet set)) {
        fixed = fixed == null ? set : join.apply(fixed, set);
      } else {
        moving.add(condition);
      }
    }
    if (moving.isEmpty()) {
      return new Condition.Fixed(fixed == null ? start : fixed);
    }
    if (fixed != null) {
      moving.addFirst(new Condition.Fixed(fixed));
    }
    return every ? new Condition.Every(moving) : new Condition.Either(moving);
  }

  private Condition after(RuleExpr.Since since, double count) {
    int[] days = market.epochDays();
    return switch (since) {
      case ENTRY_IN_BARS -> (bar, h) -> h.isOpen() && bar - h.entryBar >= count;
      case ENTRY_IN_DAYS -> (bar, h) -> h.isOpen() && days[bar] - days[h.entryBar] >= count;
      case EXIT_IN_BARS ->
          (bar, h) -> h.lastExitBar == Holding.NEVER || bar - h.lastExitBar >= count;
    };
  }

  private BarSet fixed(RuleExpr rule) {
    noteUnstable(rule);
    BarSet known = kept.get(rule);
    if (known != null) {
      return known;
    }
    BarSet set = evaluate(rule);
    kept.put(rule, set);
    var oldest = kept.entrySet().iterator();
    while ((long) kept.size() * (bars / 64 + 1) > MAX_KEPT_WORDS) {
      oldest.next();
      oldest.remove();
    }
    return set;
  }

  /** A kept rule must still count for the warm-up. */
  private void noteUnstable(RuleExpr rule) {
    switch (rule) {
      case RuleExpr.Compare(var how, var left, var right) -> {
        of(left);
        of(right);
      }
      case RuleExpr.Crossed(var up, var left, var right) -> {
        of(left);
        of(right);
      }
      case RuleExpr.Moving moving -> of(moving.of());
      case RuleExpr.AtExtreme extreme -> of(extreme.of());
      case RuleExpr.Says says -> of(says.truth());
      default -> {}
    }
  }

  private BarSet evaluate(RuleExpr rule) {
    return switch (rule) {
      case RuleExpr.Compare(var how, var left, var right) ->
          compare(how, of(left).values(), of(right).values());
      case RuleExpr.Crossed(var up, var left, var right) ->
          up ? crossed(of(right), of(left)) : crossed(of(left), of(right));
      case RuleExpr.Moving(var up, var of, var count, var strength) ->
          moving(of(of).values(), up, whole(count), Math.min(number(strength), 0.99));
      case RuleExpr.AtExtreme(var highest, var of, var count) ->
          atExtreme(of, highest, Argument.of(count));
      case RuleExpr.Says(var truth) -> {
        double[] values = of(truth).values();
        yield BarSet.of(bars, i -> values[i] > 0);
      }
      case RuleExpr.OnCalendar(var calendar, var mask) -> onCalendar(calendar, mask);
      case RuleExpr.OnClock(var hours) -> onClock(hours);
      default -> throw new IllegalStateException(rule + " depends on the position");
    };
  }

  private BarSet compare(Comparison how, double[] a, double[] b) {
    return switch (how) {
      case OVER -> BarSet.of(bars, i -> a[i] > b[i] && !same(a[i], b[i]));
      case UNDER -> BarSet.of(bars, i -> a[i] < b[i] && !same(a[i], b[i]));
      case AT_LEAST -> BarSet.of(bars, i -> a[i] >= b[i] || same(a[i], b[i]));
      case AT_MOST -> BarSet.of(bars, i -> a[i] <= b[i] || same(a[i], b[i]));
      case EQUAL -> BarSet.of(bars, i -> same(a[i], b[i]));
    };
  }

  /** Whether values differ by no more than rounding; else flat prices would cross their mean. */
  private static boolean same(double a, double b) {
    return a == b || Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b));
  }

  /** {@code from} was above {@code to} when they last differed and is below now. */
  private BarSet crossed(Series from, Series to) {
    double[] a = from.values();
    double[] b = to.values();
    int settled = Math.max(from.unstableBars(), to.unstableBars());
    return BarSet.of(
        bars,
        bar -> {
          if (bar <= settled || !(a[bar] < b[bar]) || same(a[bar], b[bar])) {
            return false;
          }
          int i = bar - 1;
          while (i > settled && same(a[i], b[i])) {
            i--;
          }
          return a[i] > b[i] && !same(a[i], b[i]);
        });
  }

  private BarSet moving(double[] x, boolean up, int count, double strength) {
    int[] moves = new int[bars + 1];
    for (int i = 0; i < bars; i++) {
      double before = x[Math.max(0, i - 1)];
      moves[i + 1] = moves[i] + ((up ? x[i] > before : x[i] < before) ? 1 : 0);
    }
    return BarSet.of(
        bars, i -> (moves[i + 1] - moves[Math.max(0, i - count + 1)]) / (double) count >= strength);
  }

  private BarSet atExtreme(SeriesExpr of, boolean highest, Argument count) {
    String key = highest ? "HighestValueIndicator" : "LowestValueIndicator";
    SeriesExpr extreme = SeriesExpr.Call.of(key + "(Indicator,int)", Argument.of(of), count);
    return compare(Comparison.EQUAL, of(of).values(), of(extreme).values());
  }

  private BarSet onCalendar(RuleExpr.Calendar calendar, long mask) {
    return BarSet.of(
        bars,
        i -> {
          var date = market.date(i);
          int number =
              switch (calendar) {
                case WEEKDAY -> date.getDayOfWeek().getValue();
                case MONTH -> date.getMonthValue();
                case DAY_OF_MONTH -> date.getDayOfMonth();
              };
          return (mask >>> number & 1) != 0;
        });
  }

  private BarSet onClock(Session hours) {
    BarTimes times = market.times();
    if (!times.isIntraday()) {
      throw new ChartException(
          "The rule 'time' needs candles with times; those of %s span days or more."
              .formatted(market.name()));
    }
    return BarSet.of(bars, i -> hours.has(times.seconds()[i]));
  }

  private Series of(SeriesExpr expression) {
    Series result = series.of(expression);
    unstableBars = Math.max(unstableBars, result.unstableBars());
    return result;
  }

  private static double number(Quantity quantity) {
    return quantity.at(NO_PARAMETERS);
  }

  private static int whole(Quantity quantity) {
    return WholeNumbers.atLeastOne(number(quantity), "a rule");
  }
}
