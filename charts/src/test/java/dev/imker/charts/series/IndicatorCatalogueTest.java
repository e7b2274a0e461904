package dev.imker.charts.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.series.IndicatorCatalogue.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class IndicatorCatalogueTest {
  private final IndicatorCatalogue catalogue = IndicatorCatalogue.instance();
  private final Market market = SampleMarkets.synthetic(MarketModel.MIXED).slice(0, 200);

  @Test
  void every_signature_of_every_indicator_can_be_computed() {
    List<String> failures = new ArrayList<>();
    int computed = 0;
    for (Entry entry : numbersAndTruths()) {
      for (Signature signature : entry.signatures()) {
        try {
          Series series = new SeriesCache(market, Seeding.FIRST).of(sample(signature));
          assertThat(series.values()).hasSize(market.bars());
          computed++;
        } catch (RuntimeException e) {
          failures.add(signature.key() + ": " + e);
        }
      }
    }
    assertThat(failures).isEmpty();
    assertThat(computed).isGreaterThan(200);
  }

  @Test
  void only_the_marked_indicators_look_into_the_future() {
    TreeSet<String> looking = new TreeSet<>();
    for (MarketModel model :
        List.of(MarketModel.MIXED, MarketModel.JUMPS, MarketModel.MEAN_REVERSION)) {
      Market whole = SampleMarkets.synthetic(model).slice(0, 200);
      Market past = whole.slice(0, 140 + 7 * model.ordinal());
      Market other = withOtherFuture(whole, past.bars());
      for (Entry entry : numbersAndTruths()) {
        if (entry.signatures().stream()
            .anyMatch(s -> differs(s, past, whole) || differs(s, past, other))) {
          looking.add(entry.name());
        }
      }
    }
    assertThat(looking)
        .containsExactlyElementsOf(
            catalogue.entries().stream().filter(Entry::looksAhead).map(Entry::name).toList());
  }

  /** Behind the first bars, prices are tripled and run the other way. */
  private static Market withOtherFuture(Market market, int bars) {
    double[][] columns = {
      market.open().clone(),
      market.high().clone(),
      market.low().clone(),
      market.close().clone(),
      market.volume().clone()
    };
    for (double[] column : columns) {
      for (int i = bars, j = column.length - 1; i < j; i++, j--) {
        double swapped = column[i] * 3;
        column[i] = column[j] * 3;
        column[j] = swapped;
      }
    }
    return new Market(
        market.name(),
        market.epochDays(),
        columns[0],
        columns[1],
        columns[2],
        columns[3],
        columns[4]);
  }

  private static boolean differs(Signature signature, Market past, Market whole) {
    double[] known = new SeriesCache(past, Seeding.FIRST).of(sample(signature)).values();
    double[] later = new SeriesCache(whole, Seeding.FIRST).of(sample(signature)).values();
    return !Arrays.equals(known, 0, known.length, later, 0, known.length);
  }

  private List<Entry> numbersAndTruths() {
    return catalogue.entries().stream()
        .filter(e -> e.yields() != IndicatorCatalogue.Yield.STRUCTURE)
        .toList();
  }

  private static SeriesExpr sample(Signature signature) {
    SeriesExpr.Call call = SampleCalls.of(signature);
    return signature.build(call.arguments());
  }

  @Test
  void names_are_found_however_they_are_written() {
    assertThat(catalogue.find("ParabolicSarIndicator")).isPresent();
    assertThat(catalogue.find("parabolic_sar")).isEqualTo(catalogue.find("parabolic-sar"));
    assertThat(catalogue.find("psar")).isEqualTo(catalogue.find("parabolic-sar"));
    assertThat(catalogue.find("no-such-thing")).isEmpty();
  }

  @Test
  void equal_expressions_are_computed_once() {
    SeriesCache cache = new SeriesCache(market, Seeding.FIRST);
    SeriesExpr ema =
        SeriesExpr.Call.of(
            "EMAIndicator(Indicator,int)",
            Argument.of(SeriesExpr.CLOSE),
            Argument.of(new Quantity.Parameter(0)));
    cache.of(ema.bind(new double[] {10}));
    long before = cache.computed();
    cache.of(ema.bind(new double[] {10}));
    assertThat(cache.computed()).isEqualTo(before);
    cache.of(ema.bind(new double[] {11}));
    assertThat(cache.computed()).isEqualTo(before + 1);
  }

  @Test
  void average_over_a_series_that_starts_late_starts_when_that_is_settled() {
    SeriesExpr rsi =
        SeriesExpr.Call.of(
            "RSIIndicator(Indicator,int)", Argument.of(SeriesExpr.CLOSE), Argument.of(14));
    SeriesExpr average =
        SeriesExpr.Call.of("SMAIndicator(Indicator,int)", Argument.of(rsi), Argument.of(5));
    SeriesCache cache = new SeriesCache(market, Seeding.FIRST);
    double[] raw = cache.of(rsi).values();
    double[] smooth = cache.of(average).values();
    assertThat(smooth[17]).isNaN();
    double mean = 0;
    for (int i = 14; i <= 18; i++) {
      mean += raw[i] / 5;
    }
    assertThat(smooth[18]).isEqualTo(mean, within(1e-9));
  }
}
