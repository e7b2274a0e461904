package dev.imker.charts.market;

/**
 * By how much the close of each bar, with what was paid, is above that of the bar before, with
 * running sums, so that the moments of any span are a difference.
 */
public record MarketGains(double[] gains, double[] sums, double[] squares) {
  static MarketGains of(Market market) {
    double[] gains = new double[market.bars()];
    double[] sums = new double[gains.length];
    double[] squares = new double[gains.length];
    for (int bar = 1; bar < gains.length; bar++) {
      gains[bar] = market.growth(bar - 1, bar) - 1;
      sums[bar] = sums[bar - 1] + gains[bar];
      squares[bar] = squares[bar - 1] + gains[bar] * gains[bar];
    }
    return new MarketGains(gains, sums, squares);
  }

  /**
   * How an account moved with the market over a span, whose first bar counts as one without a move.
   *
   * @param accountMean its mean gain per bar
   * @param products the sum of its gains times those of the market
   * @return beta, and what the market does not explain per bar
   */
  public double[] betaAndAlpha(
      int firstBar, int lastBar, double accountMean, double products, double riskFreePerBar) {
    int bars = lastBar - firstBar + 1;
    double mean = (sums[lastBar] - sums[firstBar]) / bars;
    double variance = (squares[lastBar] - squares[firstBar]) / bars - mean * mean;
    // Sums of very many small numbers leave a trace of rounding behind.
    double beta = variance <= 1e-18 ? 0 : (products / bars - accountMean * mean) / variance;
    return new double[] {beta, accountMean - riskFreePerBar - beta * (mean - riskFreePerBar)};
  }
}
