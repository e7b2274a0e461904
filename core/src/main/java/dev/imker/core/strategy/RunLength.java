package dev.imker.core.strategy;

import dev.imker.core.profile.PoolProfile;
import java.util.Arrays;

/**
 * Finds the project whose run time fits a wished one. The wish is first drawn to the nearest run
 * time of the pool (the longest left out) or the nearest midpoint of two neighbours, then blurred
 * by −2..1 minutes, so that a wish between two projects does not always go to the same one.
 */
public final class RunLength {
  private static final int BLUR_FROM = -2;
  private static final int BLUR_TO = 2;

  private double[] sorted = new double[8];

  /** The candidate nearest to the wish; ties go to the first. */
  public int choose(Choice choice, double wishedMinutes) {
    double drawn = draw(choice.pool(), wishedMinutes);
    return nearest(choice, drawn + choice.random().nextInt(BLUR_FROM, BLUR_TO));
  }

  /** The run time or midpoint nearest to the wish. */
  public double draw(PoolProfile pool, double wishedMinutes) {
    int count = sort(pool);
    if (count == 1) {
      return sorted[0];
    }
    double length = sorted[0];
    double middle = middle(0);
    for (int k = 1; k < count - 1; k++) {
      length = nearer(wishedMinutes, length, sorted[k]);
      middle = nearer(wishedMinutes, middle, middle(k));
    }
    return Math.abs(length - wishedMinutes) < Math.abs(middle - wishedMinutes) ? length : middle;
  }

  /** Whole minutes, as the reference counts them. */
  private double middle(int position) {
    return Math.floor((sorted[position] + sorted[position + 1]) / 2);
  }

  private static double nearer(double wish, double old, double other) {
    return Math.abs(other - wish) < Math.abs(old - wish) ? other : old;
  }

  private int sort(PoolProfile pool) {
    int count = pool.projects();
    if (sorted.length < count) {
      sorted = new double[Math.max(count, 2 * sorted.length)];
    }
    for (int k = 0; k < count; k++) {
      sorted[k] = minutes(pool, k);
    }
    Arrays.sort(sorted, 0, count);
    return count;
  }

  private static int nearest(Choice choice, double minutes) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < choice.candidates(); i++) {
      double distance = Math.abs(minutes - Math.floor(choice.candidate(i).runMinutes()));
      if (distance < least) {
        best = i;
        least = distance;
      }
    }
    return best;
  }

  private static double minutes(PoolProfile pool, int project) {
    return Math.floor(pool.project(project).runMinutes());
  }

  /** The dynamic scale: longest / (number of projects · shortest), the shortest at least 1. */
  public static double dynamicScale(PoolProfile pool) {
    double shortest = Double.POSITIVE_INFINITY;
    double longest = 0;
    for (int k = 0; k < pool.projects(); k++) {
      shortest = Math.min(shortest, minutes(pool, k));
      longest = Math.max(longest, minutes(pool, k));
    }
    return longest / (pool.projects() * Math.max(1, shortest));
  }
}
