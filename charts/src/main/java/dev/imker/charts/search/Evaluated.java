package dev.imker.charts.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** Combinations with what they are worth, looked up by number. */
public final class Evaluated {
  private final long[] combinations;
  private final double[] worth;
  private final Map<Long, Integer> places = new HashMap<>();

  public Evaluated(long[] combinations, double[] worth) {
    this.combinations = combinations;
    this.worth = worth;
    for (int i = 0; i < combinations.length; i++) {
      places.put(combinations[i], i);
    }
  }

  public long[] combinations() {
    return combinations;
  }

  public double worth(int place) {
    return worth[place];
  }

  /** Where a combination stands, or -1. */
  public int place(long combination) {
    return places.getOrDefault(combination, -1);
  }

  /** Places ordered from the best; equal ones in the order of their numbers. */
  public int[] ranking() {
    return IntStream.range(0, combinations.length)
        .boxed()
        .sorted(
            (a, b) -> {
              int byWorth = Double.compare(worth[b], worth[a]);
              return byWorth != 0 ? byWorth : Long.compare(combinations[a], combinations[b]);
            })
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
