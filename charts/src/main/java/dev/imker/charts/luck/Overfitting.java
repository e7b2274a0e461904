package dev.imker.charts.luck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether choosing the best combination is worth anything (combinatorially symmetric
 * cross-validation; Bailey, Borwein, López de Prado and Zhu, 2015). The history is cut into blocks;
 * for every way to take half of them, the combination with the best Sharpe ratio there is looked at
 * in the other half.
 *
 * @param splits how many ways
 * @param combinations how many were compared
 * @param probability how often the best of one half is below the median in the other one: 0 if
 *     choosing helps, about a half if it is luck
 * @param lossShare how often the best of one half loses money in the other one
 * @param chosenSharpe mean of the best ones, where they were chosen; per bar
 * @param laterSharpe mean of the same in the other halves; per bar
 */
public record Overfitting(
    int splits,
    int combinations,
    double probability,
    double lossShare,
    double chosenSharpe,
    double laterSharpe) {

  /** The returns of a combination in one block of a market. */
  public record Block(int bars, double mean, double deviation) {
    double sum() {
      return bars * mean;
    }

    double squares() {
      return bars * (deviation * deviation + mean * mean);
    }
  }

  /**
   * @param blocks by combination, market and block; a combination with a block that is missing (or
   *     has no numbers) does not take part
   * @param count of blocks, even
   */
  public static @Nullable Overfitting of(List<Block[][]> blocks, int count) {
    List<Block[][]> whole = blocks.stream().filter(Overfitting::isWhole).toList();
    if (whole.size() < 2) {
      return null;
    }
    List<Integer> halves = halves(count);
    int below = 0;
    int lost = 0;
    double chosen = 0;
    double later = 0;
    double[] inside = new double[whole.size()];
    double[] outside = new double[whole.size()];
    int everything = (1 << count) - 1;
    for (int half : halves) {
      int best = 0;
      for (int i = 0; i < inside.length; i++) {
        inside[i] = sharpe(whole.get(i), half);
        outside[i] = sharpe(whole.get(i), everything & ~half);
        best = inside[i] > inside[best] ? i : best;
      }
      below += rank(outside, outside[best]) <= 0.5 ? 1 : 0;
      lost += outside[best] < 0 ? 1 : 0;
      chosen += inside[best] / halves.size();
      later += outside[best] / halves.size();
    }
    double splits = halves.size();
    return new Overfitting(
        halves.size(), whole.size(), below / splits, lost / splits, chosen, later);
  }

  private static boolean isWhole(Block[][] combination) {
    for (Block[] market : combination) {
      for (Block block : market) {
        if (block == null || Double.isNaN(block.mean()) || Double.isNaN(block.deviation())) {
          return false;
        }
      }
    }
    return true;
  }

  /** Every way to take half of the blocks, as bits. */
  private static List<Integer> halves(int count) {
    List<Integer> halves = new ArrayList<>();
    for (int bits = 0; bits < 1 << count; bits++) {
      if (Integer.bitCount(bits) == count / 2) {
        halves.add(bits);
      }
    }
    return halves;
  }

  /** Over the chosen blocks, as a mean over the markets. */
  private static double sharpe(Block[][] combination, int chosen) {
    double sum = 0;
    for (Block[] market : combination) {
      sum += sharpe(market, chosen);
    }
    return sum / combination.length;
  }

  private static double sharpe(Block[] market, int chosen) {
    double bars = 0;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < market.length; i++) {
      if ((chosen & 1 << i) != 0) {
        bars += market[i].bars();
        sum += market[i].sum();
        squares += market[i].squares();
      }
    }
    double mean = sum / bars;
    double deviation = Math.sqrt(Math.max(0, squares / bars - mean * mean));
    return deviation == 0 ? 0 : mean / deviation;
  }

  /** The share of values below this one; those that are equal count half. */
  private static double rank(double[] values, double value) {
    double below = 0;
    for (double other : values) {
      below += other < value ? 1 : other == value ? 0.5 : 0;
    }
    return below / values.length;
  }
}
