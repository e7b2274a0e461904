package dev.imker.charts.luck;

import org.jspecify.annotations.Nullable;

/**
 * How much of a result may be owed to chance. Each part is absent where it was not asked for or
 * there is nothing to compute it from. Travels as JSON.
 */
public record Luck(
    @Nullable TradeDraws tradeDraws,
    @Nullable Permutations permutations,
    @Nullable DeflatedSharpe deflatedSharpe,
    @Nullable Overfitting overfitting) {

  /**
   * What the same strategy came to on markets whose bars were shuffled.
   *
   * @param count how many times each market was shuffled
   * @param asGood how many of them were worth at least as much as the real markets
   * @param pValue how likely a result as good as the real one is where there is nothing to find
   */
  public record Permutations(int count, int asGood, double worth, double mean, double pValue) {
    /**
     * @param worth on the real markets
     * @param shuffled what every shuffle was worth
     */
    public static Permutations of(double worth, double[] shuffled) {
      int asGood = 0;
      double sum = 0;
      for (double other : shuffled) {
        asGood += other >= worth ? 1 : 0;
        sum += other;
      }
      // The real order is one of the possible ones, so that p is never 0.
      double pValue = (asGood + 1.0) / (shuffled.length + 1.0);
      return new Permutations(shuffled.length, asGood, worth, sum / shuffled.length, pValue);
    }
  }
}
