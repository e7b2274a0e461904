package dev.imker.charts.market;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Makes markets that look like daily candles and are the same for the same seed on every machine.
 *
 * <p>The price follows a geometric random walk with drift, pulled back to its mean by the model's
 * reversion, with rare jumps; an unadjusted split halves or thirds the price over night; a gap
 * leaves out some sessions. Only {@link StrictMath} is used, so that no bit depends on the
 * platform.
 */
public final class SyntheticMarkets {
  private static final int SESSIONS_PER_YEAR = 261;

  /** Plans are made where many share a machine; a slip of the pen must not fill its memory. */
  private static final int MAX_MARKET_YEARS = 10_000;

  private static final LocalDate FIRST_DAY = LocalDate.of(2010, 1, 4);

  private final SplittableRandom random;
  private final MarketModel model;

  private SyntheticMarkets(long seed, MarketModel model) {
    this.random = new SplittableRandom(seed);
    this.model = model;
  }

  /** What is wrong with so many markets of so many years, for people; empty if nothing is. */
  public static String objection(int markets, int years) {
    if (markets < 1 || years < 1) {
      return "there must be at least 1 market of 1 year.";
    }
    return (long) markets * years <= MAX_MARKET_YEARS
        ? ""
        : String.format(
            Locale.ROOT,
            "%,d markets of %,d years are too many; markets times years may be %,d.",
            markets,
            years,
            MAX_MARKET_YEARS);
  }

  /** Markets "SYN-01", "SYN-02", … of the given number of years. */
  public static List<Market> generate(int markets, int years, long seed, MarketModel model) {
    return generate(markets, years, seed, model, name -> true);
  }

  /** Those of them with a name that is wanted; they are the same without the others. */
  public static List<Market> generate(
      int markets, int years, long seed, MarketModel model, Predicate<String> wanted) {
    return IntStream.rangeClosed(1, markets)
        .filter(number -> wanted.test(name(number)))
        .mapToObj(
            number ->
                new SyntheticMarkets(seed * 1_000_003 + number, model)
                    .market(name(number), years * SESSIONS_PER_YEAR))
        .toList();
  }

  private static String name(int number) {
    return "SYN-%02d".formatted(number);
  }

  private Market market(String name, int sessions) {
    int[] days = days(sessions);
    double[] open = new double[sessions];
    double[] high = new double[sessions];
    double[] low = new double[sessions];
    double[] close = new double[sessions];
    double[] volume = new double[sessions];
    double level = StrictMath.log(40 + 120 * random.nextDouble());
    double mean = level;
    double splitFactor = 1;
    for (int i = 0; i < sessions; i++) {
      double previous = level;
      double night = gaussian() * dailyVolatility() * 0.4 + jump();
      if (happens(model.splitsPerYear)) {
        splitFactor /= random.nextBoolean() ? 2 : 3;
      }
      level += night + step(level - mean);
      mean += model.drift / SESSIONS_PER_YEAR;
      open[i] = price((previous + night), splitFactor);
      close[i] = price(level, splitFactor);
      double range = dailyVolatility() * 0.5;
      high[i] = rounded(Math.max(open[i], close[i]) * StrictMath.exp(range * Math.abs(gaussian())));
      low[i] = rounded(Math.min(open[i], close[i]) * StrictMath.exp(-range * Math.abs(gaussian())));
      volume[i] = volume(level - previous);
    }
    return new Market(name, days, open, high, low, close, volume);
  }

  private int[] days(int sessions) {
    List<Integer> days = new ArrayList<>(sessions);
    LocalDate day = FIRST_DAY;
    while (days.size() < sessions) {
      boolean weekend =
          day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY;
      if (!weekend) {
        days.add((int) day.toEpochDay());
        if (happens(model.gapsPerYear)) {
          day = day.plusDays(1 + random.nextInt(10));
        }
      }
      day = day.plusDays(1);
    }
    return days.stream().mapToInt(Integer::intValue).toArray();
  }

  private double step(double distanceFromMean) {
    double drift = (model.drift - model.reversion * distanceFromMean) / SESSIONS_PER_YEAR;
    return drift + gaussian() * dailyVolatility();
  }

  private double jump() {
    return happens(model.jumpsPerYear) ? gaussian() * 0.05 : 0;
  }

  private boolean happens(double perYear) {
    return random.nextDouble() < perYear / SESSIONS_PER_YEAR;
  }

  private double dailyVolatility() {
    return model.volatility / StrictMath.sqrt(SESSIONS_PER_YEAR);
  }

  private double volume(double move) {
    double busy = 1 + 10 * Math.abs(move);
    return Math.rint(100_000 * busy * StrictMath.exp(0.4 * gaussian()));
  }

  private static double price(double level, double splitFactor) {
    return rounded(StrictMath.exp(level) * splitFactor);
  }

  private static double rounded(double price) {
    return Math.max(0.0001, Math.rint(price * 10_000) / 10_000);
  }

  private double gaussian() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return radius * StrictMath.cos(2 * StrictMath.PI * random.nextDouble());
  }
}
