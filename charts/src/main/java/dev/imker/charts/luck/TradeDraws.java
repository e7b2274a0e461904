package dev.imker.charts.luck;

import dev.imker.charts.outcome.Trade;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What could have come of the same trades in another number and order: as many as there were are
 * drawn with replacement, again and again, and each time the account is computed anew. With several
 * markets every draw is the mean over them, as in the summary.
 *
 * @param draws how many times
 * @param trades how many closed trades there are to draw from
 * @param lossShare the share of draws that lost money
 */
public record TradeDraws(
    int draws, int trades, Quantiles totalReturn, Quantiles maxDrawdown, double lossShare) {

  /** What 5 %, a half and 95 % of the draws stay below. */
  public record Quantiles(double low, double median, double high) {
    static Quantiles of(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      return new Quantiles(at(sorted, 0.05), at(sorted, 0.5), at(sorted, 0.95));
    }

    private static double at(double[] sorted, double share) {
      double place = share * (sorted.length - 1);
      int below = (int) place;
      double rest = place - below;
      return rest == 0 ? sorted[below] : sorted[below] * (1 - rest) + sorted[below + 1] * rest;
    }
  }

  /**
   * The course of one market.
   *
   * @param firstBar where the curve begins
   * @param curve the account at the close of every bar
   */
  public record Course(double capital, int firstBar, double[] curve, List<Trade> trades) {
    /** By how much each closed trade multiplied the account. */
    double[] growth() {
      return trades.stream()
          .filter(trade -> !trade.open())
          .mapToDouble(trade -> growth(before(trade), trade.profit()))
          .toArray();
    }

    /** The account when a trade began: no other one was open, so it is that of the bar before. */
    private double before(Trade trade) {
      int bar = trade.entryBar() - firstBar - 1;
      return bar < 0 ? capital : curve[bar];
    }

    private static double growth(double account, double profit) {
      return account <= 0 ? 1 : Math.max(0, 1 + profit / account);
    }
  }

  /** Draws; nothing if there is no market with two closed trades. */
  public static @Nullable TradeDraws of(List<Course> courses, int draws, long seed) {
    List<double[]> growths =
        courses.stream().map(Course::growth).filter(growth -> growth.length > 1).toList();
    if (growths.isEmpty() || draws == 0) {
      return null;
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] returns = new double[draws];
    double[] falls = new double[draws];
    for (int i = 0; i < draws; i++) {
      for (double[] growth : growths) {
        double account = 1;
        double peak = 1;
        double deepest = 0;
        for (int k = 0; k < growth.length; k++) {
          account *= growth[random.nextInt(growth.length)];
          peak = Math.max(peak, account);
          deepest = Math.max(deepest, 1 - account / peak);
        }
        returns[i] += (account - 1) / growths.size();
        falls[i] += deepest / growths.size();
      }
    }
    return new TradeDraws(
        draws,
        growths.stream().mapToInt(growth -> growth.length).sum(),
        Quantiles.of(returns),
        Quantiles.of(falls),
        (double) Arrays.stream(returns).filter(gain -> gain < 0).count() / draws);
  }
}
