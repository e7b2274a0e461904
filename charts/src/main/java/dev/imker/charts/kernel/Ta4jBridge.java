package dev.imker.charts.kernel;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.BarTimes;
import dev.imker.charts.market.Market;
import dev.imker.charts.series.Argument;
import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.series.Ta4jSignatures;
import dev.imker.charts.series.UnusableParametersException;
import dev.imker.charts.series.WholeNumbers;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ta4j.core.BarSeries;
import org.ta4j.core.BaseBarSeriesBuilder;
import org.ta4j.core.Indicator;
import org.ta4j.core.indicators.AbstractIndicator;
import org.ta4j.core.num.DoubleNumFactory;
import org.ta4j.core.num.NaN;
import org.ta4j.core.num.Num;
import org.ta4j.core.num.NumFactory;

/** Computes series with ta4j's own indicator classes, on numbers of type double. */
final class Ta4jBridge {
  private final Market market;
  private final @Nullable SeriesCache shared;
  private final Surroundings surroundings;
  private @Nullable BarSeries bars;

  /**
   * @param shared where arguments of the general type come from; null to compute them, too, with
   *     ta4j alone
   */
  Ta4jBridge(Market market, @Nullable SeriesCache shared, Surroundings surroundings) {
    this.surroundings = surroundings;
    this.market = market;
    this.shared = shared;
  }

  Series series(SeriesExpr.Call call) {
    Indicator<?> indicator = indicator(call);
    double[] values = new double[market.bars()];
    try {
      for (int i = 0; i < values.length; i++) {
        values[i] = asDouble(indicator.getValue(i));
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new UnusableParametersException(
          "%s cannot be computed: %s".formatted(call.key(), e.getMessage()), e);
    }
    boolean asTa4j = shared == null || shared.seeding() == Seeding.FIRST;
    int more = asTa4j ? 0 : Ta4jSettling.moreBars(indicator);
    return new Series(values, indicator.getCountOfUnstableBars() + more);
  }

  private static double asDouble(@Nullable Object value) {
    return switch (value) {
      case Boolean truth -> truth ? 1 : 0;
      case Num number when !number.isNaN() -> number.doubleValue();
      case null, default -> Double.NaN;
    };
  }

  Indicator<?> indicator(SeriesExpr expression) {
    return switch (expression) {
      case SeriesExpr.Constant(Quantity value) ->
          new ArrayIndicator(barSeries(), constant(value.at(new double[0])));
      case SeriesExpr.Arithmetic arithmetic -> computed(arithmetic);
      case SeriesExpr.Formula formula -> computed(formula);
      case SeriesExpr.InFrame inFrame -> computed(inFrame);
      case SeriesExpr.OfMarket ofMarket -> computed(ofMarket);
      case SeriesExpr.Java java -> computed(java);
      case SeriesExpr.Call call -> construct(call);
    };
  }

  private Series constant(double value) {
    double[] values = new double[market.bars()];
    java.util.Arrays.fill(values, value);
    return new Series(values, 0);
  }

  private Indicator<?> computed(SeriesExpr expression) {
    SeriesCache cache =
        shared == null ? new SeriesCache(market, Seeding.FIRST, surroundings) : shared;
    return new ArrayIndicator(barSeries(), cache.of(expression));
  }

  private Indicator<?> construct(SeriesExpr.Call call) {
    Constructor<?> constructor = Ta4jSignatures.constructor(call.key());
    Iterator<Argument> arguments = call.arguments().iterator();
    List<Object> values = new ArrayList<>();
    for (Class<?> type : constructor.getParameterTypes()) {
      values.add(type == BarSeries.class ? barSeries() : value(arguments.next(), type, call.key()));
    }
    try {
      return (Indicator<?>) constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      if (shared != null && e.getCause() instanceof IllegalArgumentException) {
        // Some indicators look at the class of their arguments: give them real ones.
        return new Ta4jBridge(market, null, surroundings).construct(call);
      }
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new UnusableParametersException(
          "%s cannot be made: %s".formatted(call.key(), cause.getMessage()), cause);
    } catch (ReflectiveOperationException e) {
      throw new ChartException("Cannot make " + call.key() + ": " + e.getMessage(), e);
    }
  }

  private Object value(Argument argument, Class<?> type, String where) {
    return switch (argument) {
      case Argument.OfSeries(SeriesExpr series) -> indicatorFor(series, type);
      case Argument.OfChoice(Object constant) -> constant;
      case Argument.OfNumber(Quantity number) -> number(number.at(new double[0]), type, where);
    };
  }

  private Indicator<?> indicatorFor(SeriesExpr series, Class<?> type) {
    boolean anyWillDo = type == Indicator.class;
    return anyWillDo && shared != null
        ? new ArrayIndicator(barSeries(), shared.of(series))
        : indicator(series);
  }

  private static Object number(double value, Class<?> type, String where) {
    if (type == int.class) {
      return WholeNumbers.notNegative(value, where);
    }
    NumFactory factory = DoubleNumFactory.getInstance();
    return type == Num.class ? factory.numOf(value) : (Object) value;
  }

  /** The candles as ta4j bars; one of a day begins at midnight UTC. */
  BarSeries barSeries() {
    BarSeries made = bars;
    if (made == null) {
      made = toBars(market, DoubleNumFactory.getInstance());
      bars = made;
    }
    return made;
  }

  static BarSeries toBars(Market market, NumFactory numbers) {
    BarSeries series =
        new BaseBarSeriesBuilder().withName(market.name()).withNumFactory(numbers).build();
    BarTimes times = market.times();
    Duration length = Duration.ofSeconds(times.length());
    for (int i = 0; i < market.bars(); i++) {
      Instant begin = Instant.ofEpochSecond(times.begin(i));
      series
          .barBuilder()
          .timePeriod(length)
          .endTime(begin.plus(length))
          .openPrice(market.open()[i])
          .highPrice(market.high()[i])
          .lowPrice(market.low()[i])
          .closePrice(market.close()[i])
          .volume(market.volume()[i])
          .amount(market.volume()[i] * market.close()[i])
          .add();
    }
    return series;
  }

  private static final class ArrayIndicator extends AbstractIndicator<Num> {
    private final Series series;
    private final NumFactory numbers = DoubleNumFactory.getInstance();

    ArrayIndicator(BarSeries bars, Series series) {
      super(bars);
      this.series = series;
    }

    @Override
    public Num getValue(int index) {
      double value = index < 0 ? Double.NaN : series.values()[index];
      return Double.isNaN(value) ? NaN.NaN : numbers.numOf(value);
    }

    @Override
    public int getCountOfUnstableBars() {
      return series.unstableBars();
    }
  }
}
