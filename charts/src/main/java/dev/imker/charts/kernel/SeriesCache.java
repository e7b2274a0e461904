package dev.imker.charts.kernel;

import dev.imker.charts.market.Frame;
import dev.imker.charts.market.Market;
import dev.imker.charts.series.Argument;
import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.series.UnusableParametersException;
import dev.imker.charts.series.WholeNumbers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the series of one market, each once, and keeps those used last up to a limit of memory.
 * For one thread.
 */
public final class SeriesCache {
  private static final long DEFAULT_MAX_VALUES = 16_000_000;

  private final Market market;
  private final Seeding seeding;
  private final long maxValues;
  private final Surroundings surroundings;
  private final Ta4jBridge bridge;
  private final Map<Frame, Framed> frames = new HashMap<>();
  private final Map<String, SeriesCache> others = new HashMap<>();
  private final Map<SeriesExpr, Series> cached = new LinkedHashMap<>(64, 0.75f, true);
  private long computed;

  public SeriesCache(Market market, Seeding seeding) {
    this(market, seeding, Surroundings.NONE);
  }

  public SeriesCache(Market market, Seeding seeding, Surroundings surroundings) {
    this(market, seeding, surroundings, DEFAULT_MAX_VALUES);
  }

  SeriesCache(Market market, Seeding seeding, Surroundings surroundings, long maxValues) {
    this.surroundings = surroundings;
    this.market = market;
    this.seeding = seeding;
    this.maxValues = maxValues;
    this.bridge = new Ta4jBridge(market, this, surroundings);
  }

  public Market market() {
    return market;
  }

  Seeding seeding() {
    return seeding;
  }

  /** How many series were really computed, not found. */
  public long computed() {
    return computed;
  }

  /**
   * The series of an expression without parameters.
   *
   * @throws UnusableParametersException if its numbers make no sense
   */
  public Series of(SeriesExpr bound) {
    Series known = cached.get(bound);
    if (known != null) {
      return known;
    }
    Series series = compute(bound);
    computed++;
    cached.put(bound, series);
    evict();
    return series;
  }

  private void evict() {
    var oldest = cached.entrySet().iterator();
    while (cached.size() * (long) market.bars() > maxValues && cached.size() > 8) {
      oldest.next();
      oldest.remove();
    }
  }

  private Series compute(SeriesExpr expression) {
    return switch (expression) {
      case SeriesExpr.Constant(Quantity value) -> constant(value.at(new double[0]));
      case SeriesExpr.Arithmetic(var operator, var left, var right) -> {
        Series a = of(left);
        Series b = of(right);
        yield new Series(
            Windows.combine(a.values(), b.values(), operator),
            Math.max(a.unstableBars(), b.unstableBars()));
      }
      case SeriesExpr.Formula formula -> formula(formula);
      case SeriesExpr.InFrame(Frame frame, SeriesExpr of) -> {
        Framed longer = frames.computeIfAbsent(frame, this::framed);
        yield Elsewhere.ofFrame(longer.series().of(of), longer.periods());
      }
      case SeriesExpr.OfMarket(String name, SeriesExpr of) -> {
        SeriesCache other = others.computeIfAbsent(name, this::other);
        yield Elsewhere.ofMarket(other.of(of), other.market(), market);
      }
      case SeriesExpr.Java java -> java(java);
      case SeriesExpr.Call call -> {
        Kernel kernel = Kernels.find(call.key());
        yield kernel == null ? bridge.series(call) : kernel.compute(new CallInputs(call));
      }
    };
  }

  /** Longer bars of the market, and which of them each bar is part of. */
  private record Framed(SeriesCache series, int[] periods) {}

  private Framed framed(Frame frame) {
    int[] periods = frame.periods(market);
    return new Framed(new SeriesCache(frame.of(market, periods), seeding, surroundings), periods);
  }

  private SeriesCache other(String name) {
    return new SeriesCache(surroundings.markets().apply(name), seeding, surroundings);
  }

  /** Settled where there is a first value, and where what it was given is. */
  private Series java(SeriesExpr.Java java) {
    Map<String, Object> arguments = new HashMap<>();
    int unstable = 0;
    for (Map.Entry<String, Argument> entry : java.arguments().entrySet()) {
      switch (entry.getValue()) {
        case Argument.OfNumber(Quantity number) ->
            arguments.put(entry.getKey(), number.at(new double[0]));
        case Argument.OfSeries(SeriesExpr expression) -> {
          Series series = of(expression);
          arguments.put(entry.getKey(), series.values());
          unstable = Math.max(unstable, series.unstableBars());
        }
        case Argument.OfChoice(Object constant) ->
            throw new IllegalStateException(constant + " for " + java.name());
      }
    }
    double[] values = surroundings.java().values(java.name(), market, arguments);
    int first = 0;
    while (first < values.length && Double.isNaN(values[first])) {
      first++;
    }
    return new Series(values, Math.max(unstable, first));
  }

  /** Without value wherever one of its series has none. */
  private Series formula(SeriesExpr.Formula formula) {
    List<Series> inputs = formula.inputs().stream().map(this::of).toList();
    double[] result = new double[market.bars()];
    double[] values = new double[inputs.size()];
    for (int bar = 0; bar < result.length; bar++) {
      boolean known = true;
      for (int i = 0; i < values.length; i++) {
        values[i] = inputs.get(i).values()[bar];
        known &= !Double.isNaN(values[i]);
      }
      double value = known ? formula.expression().value(values) : Double.NaN;
      result[bar] = Double.isInfinite(value) ? Double.NaN : value;
    }
    return new Series(result, inputs.stream().mapToInt(Series::unstableBars).max().orElse(0));
  }

  private Series constant(double value) {
    double[] values = new double[market.bars()];
    Arrays.fill(values, value);
    return new Series(values, 0);
  }

  private final class CallInputs implements Kernel.Inputs {
    private final SeriesExpr.Call call;

    CallInputs(SeriesExpr.Call call) {
      this.call = call;
    }

    @Override
    public Market market() {
      return market;
    }

    @Override
    public Series series(int argument) {
      if (call.arguments().get(argument) instanceof Argument.OfSeries(SeriesExpr series)) {
        return of(series);
      }
      throw new IllegalStateException("argument " + argument + " of " + call + " is no series");
    }

    @Override
    public int bars(int argument) {
      return WholeNumbers.atLeastOne(number(argument), call.key());
    }

    @Override
    public Seeding seeding() {
      return seeding;
    }

    @Override
    public double number(int argument) {
      if (call.arguments().get(argument) instanceof Argument.OfNumber(Quantity number)) {
        return number.at(new double[0]);
      }
      throw new IllegalStateException("argument " + argument + " of " + call + " is no number");
    }
  }
}
