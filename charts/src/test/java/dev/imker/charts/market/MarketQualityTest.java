package dev.imker.charts.market;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarketQualityTest {
  private static Market market(double[] open, double[] high, double[] low, double[] close) {
    int[] days = new int[close.length];
    for (int i = 0; i < days.length; i++) {
      days[i] = 18_262 + i;
    }
    return new Market("DAX", days, open, high, low, close, new double[close.length]);
  }

  private static Market closes(double... closes) {
    return market(closes, closes, closes, closes);
  }

  @Test
  void candles_that_cannot_be_are_told_with_day_and_prices() {
    Market market =
        market(
            new double[] {10, 8, 10},
            new double[] {11, 11, 11},
            new double[] {9, 9, 9},
            new double[] {10, 10, 12});
    assertThat(MarketQuality.notes(market))
        .anyMatch(
            n -> n.contains("the close is above the high on 2020-01-03 (12.0000 above 11.0000)"))
        .anyMatch(n -> n.contains("the open is below the low on 2020-01-02"))
        .hasSize(2);
  }

  @Test
  void splits_and_outliers_are_told_apart() {
    assertThat(MarketQuality.notes(closes(100, 101, 25, 25.5, 26)))
        .singleElement()
        .asString()
        .contains("split")
        .contains("2020-01-03");
    assertThat(MarketQuality.notes(closes(100, 101, 10_000, 100, 99)))
        .singleElement()
        .asString()
        .contains("typing error");
    assertThat(MarketQuality.notes(closes(100, 101, 90, 80, 95))).isEmpty();
  }
}
