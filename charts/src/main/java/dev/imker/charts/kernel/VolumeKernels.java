package dev.imker.charts.kernel;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.Series;
import java.util.Map;

/** Indicators that weigh by volume. */
final class VolumeKernels {
  private VolumeKernels() {}

  static void register(Map<String, Kernel> kernels) {
    kernels.put("OnBalanceVolumeIndicator(BarSeries)", in -> new Series(onBalance(in.market()), 0));
    kernels.put("VWAPIndicator(BarSeries,int)", in -> vwap(in.market(), in.bars(0)));
    kernels.put("ChaikinMoneyFlowIndicator(BarSeries,int)", in -> chaikin(in.market(), in.bars(0)));
    kernels.put("MoneyFlowIndexIndicator(BarSeries,int)", in -> moneyFlow(in.market(), in.bars(0)));
  }

  private static double[] onBalance(Market market) {
    double[] close = market.close();
    double[] result = new double[close.length];
    for (int i = 1; i < result.length; i++) {
      double volume = market.volume()[i];
      double signed = close[i - 1] > close[i] ? -volume : close[i - 1] < close[i] ? volume : 0;
      result[i] = result[i - 1] + signed;
    }
    return result;
  }

  private static Series vwap(Market market, int bars) {
    double[] price = PriceKernels.typical(market);
    double[] result = new double[price.length];
    result[0] = price[0];
    for (int i = 1; i < result.length; i++) {
      double value = 0;
      double volume = 0;
      for (int j = Math.max(0, i - bars + 1); j <= i; j++) {
        value += price[j] * market.volume()[j];
        volume += market.volume()[j];
      }
      result[i] = Windows.ratio(value, volume);
    }
    return new Series(result, bars - 1);
  }

  /** How near the closes were to the highs, from -1 to 1, weighed by volume. */
  private static Series chaikin(Market market, int bars) {
    double[] result = new double[market.bars()];
    for (int i = 0; i < result.length; i++) {
      double flow = 0;
      double volume = 0;
      for (int j = Math.max(0, i - bars + 1); j <= i; j++) {
        double high = market.high()[j];
        double low = market.low()[j];
        double close = market.close()[j];
        flow += Windows.ratio(close - low - (high - close), high - low) * market.volume()[j];
        volume += market.volume()[j];
      }
      result[i] = Windows.ratio(flow, volume);
    }
    return new Series(result, bars - 1);
  }

  private static Series moneyFlow(Market market, int bars) {
    double[] price = PriceKernels.typical(market);
    double[] result = new double[price.length];
    for (int i = bars; i < result.length; i++) {
      double up = 0;
      double down = 0;
      for (int j = i - bars + 1; j <= i; j++) {
        double flow = price[j] * market.volume()[j];
        up += price[j] > price[j - 1] ? flow : 0;
        down += price[j] < price[j - 1] ? flow : 0;
      }
      result[i] = 100 - 100 / (1 + Math.max(up, 1) / Math.max(down, 1));
    }
    return new Series(Windows.blankBefore(result, bars), bars);
  }
}
