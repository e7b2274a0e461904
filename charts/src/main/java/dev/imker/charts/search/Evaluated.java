package dev.imker.charts.search;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Combinations with what they are worth, looked up by number. */
public final class Evaluated {
  private final long[] combinations;
  private final double[] worth;
  private int @Nullable [] ranking;

  /**
   * @param combinations ascending
   */
  public Evaluated(long[] combinations, double[] worth) {
    this.combinations = combinations;
    this.worth = worth;
  }

  public long[] combinations() {
    return combinations;
  }

  public double worth(int place) {
    return worth[place];
  }

  /** Where a combination stands, or -1. */
  public int place(long combination) {
    return Math.max(-1, Arrays.binarySearch(combinations, combination));
  }

  /** The place of the best; of equal ones, of the first. */
  public int best() {
    int best = 0;
    for (int place = 1; place < worth.length; place++) {
      if (Double.compare(worth[place], worth[best]) > 0) {
        best = place;
      }
    }
    return best;
  }

  /** Places ordered from the best; equal ones in the order of their numbers. */
  public int[] ranking() {
    int[] known = ranking;
    if (known == null) {
      known = ranked();
      ranking = known;
    }
    return known;
  }

  private int[] ranked() {
    return IntStream.range(0, combinations.length)
        .boxed()
        .sorted((a, b) -> Double.compare(worth[b], worth[a])) // stable
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The mean worth of a combination and its evaluated neighbours. */
  public double neighbourhood(Space space, int place) {
    double[] around = neighbours(space, place);
    return (worth[place] + Arrays.stream(around).sum()) / (around.length + 1);
  }

  /** The worth of the evaluated neighbours. */
  public double[] neighbours(Space space, int place) {
    return Arrays.stream(space.neighbours(combinations[place]))
        .mapToInt(this::place)
        .filter(p -> p >= 0)
        .mapToDouble(p -> worth[p])
        .toArray();
  }
}
