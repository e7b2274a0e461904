package dev.imker.charts.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.series.SampleCalls;
import dev.imker.charts.series.Seeding;
import dev.imker.charts.series.Series;
import dev.imker.charts.series.SeriesExpr;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelsTest {
  static Stream<String> kernels() {
    return Kernels.keys().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void kernel_equals_the_indicator_of_ta4j_at_every_bar(String key) {
    for (Market market :
        new Market[] {
          SampleMarkets.synthetic(MarketModel.MIXED),
          SampleMarkets.synthetic(MarketModel.SPLITS),
          SampleMarkets.ofTa4j("SMMA")
        }) {
      SeriesExpr.Call call = SampleCalls.of(key);
      assertEqual(
          key + " on " + market.name(),
          new SeriesCache(market, Seeding.FIRST).of(call),
          new Ta4jBridge(market, null, Surroundings.NONE).series(call));
    }
  }

  static void assertEqual(String what, Series ours, Series theirs) {
    assertThat(ours.unstableBars()).as(what + ": unstable bars").isEqualTo(theirs.unstableBars());
    double[] a = ours.values();
    double[] b = theirs.values();
    assertThat(a).hasSameSizeAs(b);
    for (int i = 0; i < a.length; i++) {
      boolean equal =
          (Double.isNaN(a[i]) && Double.isNaN(b[i]))
              || Math.abs(a[i] - b[i]) <= 1e-8 * Math.max(1, Math.abs(b[i]));
      assertThat(equal).as("%s at bar %d: %s, ta4j %s", what, i, a[i], b[i]).isTrue();
    }
  }
}
