package dev.imker.charts.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.kernel.Windows;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SeedingTest {
  private final Market market = SampleMarkets.synthetic(MarketModel.MIXED);

  private static SeriesExpr.Call ofClose(String key, double... numbers) {
    Argument[] arguments = new Argument[numbers.length + 1];
    arguments[0] = Argument.of(SeriesExpr.CLOSE);
    for (int i = 0; i < numbers.length; i++) {
      arguments[i + 1] = Argument.of(numbers[i]);
    }
    return SeriesExpr.Call.of(key, arguments);
  }

  @Test
  void an_exponential_average_starts_with_the_mean_of_its_bars() {
    double[] ema =
        new SeriesCache(market, Seeding.SMA)
            .of(ofClose("EMAIndicator(Indicator,int)", 200))
            .values();
    double[] close = market.close();
    double expected = Arrays.stream(close, 0, 200).average().orElseThrow();
    assertThat(ema[198]).isNaN();
    assertThat(ema[199]).isEqualTo(expected, within(1e-9));
    for (int i = 200; i < 300; i++) {
      expected += (close[i] - expected) * 2 / 201;
      assertThat(ema[i]).isEqualTo(expected, within(1e-9));
    }
  }

  /** Worked out by hand: gains 1, 0, 2 and losses 0, 1, 0; then Wilder's recursion. */
  @Test
  void the_relative_strength_is_that_of_wilder() {
    double[] close = {10, 11, 10, 12, 13, 11};
    int n = close.length;
    int[] days = {1, 2, 3, 4, 5, 6};
    Market small = new Market("m", days, close, close, close, close, new double[n]);
    double[] rsi =
        new SeriesCache(small, Seeding.SMA).of(ofClose("RSIIndicator(Indicator,int)", 3)).values();
    assertThat(rsi[2]).isNaN();
    assertThat(rsi[3]).isEqualTo(100 - 100 / (1 + 1.0 / (1.0 / 3)), within(1e-9));
    double gain = (1.0 * 2 + 1) / 3;
    double loss = (1.0 / 3 * 2) / 3;
    assertThat(rsi[4]).isEqualTo(100 - 100 / (1 + gain / loss), within(1e-9));
    gain = gain * 2 / 3;
    loss = (loss * 2 + 2) / 3;
    assertThat(rsi[5]).isEqualTo(100 - 100 / (1 + gain / loss), within(1e-9));
  }

  static Stream<SeriesExpr.Call> recursive() {
    return Stream.of(
        ofClose("EMAIndicator(Indicator,int)", 50),
        ofClose("MMAIndicator(Indicator,int)", 20),
        ofClose("SMMAIndicator(Indicator,int)", 20),
        ofClose("RSIIndicator(Indicator,int)", 14),
        ofClose("DoubleEMAIndicator(Indicator,int)", 20),
        ofClose("TripleEMAIndicator(Indicator,int)", 20),
        ofClose("ZLEMAIndicator(Indicator,int)", 20),
        ofClose("KAMAIndicator(Indicator)"),
        ofClose("KAMAIndicator(Indicator,int,int,int)", 20, 5, 100),
        ofClose("MACDIndicator(Indicator,int,int)", 12, 26),
        ofClose("PPOIndicator(Indicator,int,int)", 12, 26),
        SeriesExpr.Call.of("ATRIndicator(BarSeries,int)", Argument.of(14)),
        SampleCalls.of("MACDVIndicator(Indicator)"),
        SampleCalls.of("TrueStrengthIndexIndicator(Indicator)"),
        SampleCalls.of("ChandelierExitLongIndicator(BarSeries,int,double)"),
        SeriesExpr.Call.of("ADXIndicator(BarSeries,int)", Argument.of(14)));
  }

  /** The same bars with another past: where the data begin must not matter any more. */
  @ParameterizedTest
  @MethodSource("recursive")
  void a_settled_value_does_not_depend_on_where_the_data_begin(SeriesExpr.Call call) {
    Series whole = new SeriesCache(market, Seeding.SMA).of(call);
    int cut = whole.unstableBars() + 37;
    Series later = new SeriesCache(market.slice(cut, market.bars()), Seeding.SMA).of(call);
    double range =
        Arrays.stream(whole.values()).skip(cut).max().orElseThrow()
            - Arrays.stream(whole.values()).skip(cut).min().orElseThrow();
    for (int i = later.unstableBars(); i < later.values().length; i++) {
      assertThat(later.values()[i])
          .as("%s at bar %d", call.key(), i)
          .isEqualTo(whole.values()[cut + i], within(range * Seeding.TOLERANCE));
    }
    assertThat(later.unstableBars()).isLessThan(later.values().length);
  }

  @Test
  void a_shift_into_the_future_is_refused_by_every_indicator() {
    SeriesCache cache = new SeriesCache(market.slice(0, 200), Seeding.SMA);
    Market past = market.slice(0, 140);
    for (IndicatorCatalogue.Entry entry : IndicatorCatalogue.instance().entries()) {
      if (entry.yields() == IndicatorCatalogue.Yield.STRUCTURE || entry.looksAhead()) {
        continue;
      }
      for (Signature signature : entry.signatures()) {
        List<Argument> arguments = SampleCalls.of(signature).arguments();
        for (int slot = 0; slot < arguments.size(); slot++) {
          if (signature.slots().get(slot).kind() == Slot.Kind.WHOLE_NUMBER) {
            Argument[] shifted = arguments.toArray(new Argument[0]);
            shifted[slot] = Argument.of(-3);
            SeriesExpr call = signature.build(List.of(shifted));
            assertThatThrownBy(() -> cache.of(call))
                .as(signature.key())
                .isInstanceOf(UnusableParametersException.class);
            assertThatThrownBy(() -> new SeriesCache(past, Seeding.FIRST).of(call))
                .isInstanceOf(UnusableParametersException.class);
          }
        }
      }
    }
  }

  @Test
  void the_mean_of_flat_prices_is_the_price_whatever_came_before() {
    double[] x = new double[400];
    Arrays.fill(x, 0.1);
    for (int i = 0; i < 100; i++) {
      x[i] = 1e9 / (i + 3.0);
    }
    double[] mean = Windows.mean(x, 30);
    for (int i = 130; i < x.length; i++) {
      assertThat(mean[i]).isEqualTo(0.1, within(1e-15));
    }
  }
}
