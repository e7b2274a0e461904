package dev.imker.charts.search;

import dev.imker.charts.ChartException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Which combinations are tried.
 *
 * @param budget how many combinations at most, for all methods but {@link Method#ALL}
 * @param factor for {@link Method#HALVING}: one of so many survives each round; for {@link
 *     Method#EVOLUTION}: how many combinations a generation has
 */
public record Search(Method method, int budget, int factor, long seed) {
  public static final Search ALL = new Search(Method.ALL, Integer.MAX_VALUE, 3, 1);
  private static final long MAX_COMBINATIONS = 20_000_000;
  private static final int[] PRIMES = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

  /** How combinations are chosen. */
  public enum Method {
    /** Every allowed one. */
    ALL,
    /** At random, none twice. */
    RANDOM,
    /** By Halton's sequence, which covers the space more evenly than chance. */
    HALTON,
    /** Many on a part of the history, the better ones on more, the last ones on all of it. */
    HALVING,
    /** Generation by generation, each bred from the best of those before. */
    EVOLUTION;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> labels() {
      return Stream.of(values()).map(Method::label).toList();
    }
  }

  /** The combinations of the first round, always the same for the same search and space. */
  public long[] combinations(Space space) {
    if (method == Method.ALL || space.size() <= budget) {
      return all(space);
    }
    return switch (method) {
      case ALL, HALTON, HALVING -> halton(space, budget);
      case RANDOM -> random(space);
      case EVOLUTION -> halton(space, Math.min(factor, budget));
    };
  }

  private static long[] all(Space space) {
    if (space.size() > MAX_COMBINATIONS) {
      throw new ChartException(
          "There are %s combinations, more than %,d. Use fewer steps, or a search with a budget."
              .formatted(
                  space.size() == Long.MAX_VALUE ? "too many" : "%,d".formatted(space.size()),
                  MAX_COMBINATIONS));
    }
    long[] allowed = LongStream.range(0, space.size()).filter(space::isAllowed).toArray();
    return checked(allowed);
  }

  private static long[] checked(long[] combinations) {
    if (combinations.length == 0) {
      throw new ChartException("No combination fulfils the conditions under 'where'.");
    }
    return combinations;
  }

  private long[] random(Space space) {
    SplittableRandom random = new SplittableRandom(seed);
    Set<Long> chosen = new LinkedHashSet<>();
    for (long tries = 0; chosen.size() < budget && tries < 100L * budget; tries++) {
      long combination = random.nextLong(space.size());
      if (space.isAllowed(combination)) {
        chosen.add(combination);
      }
    }
    return checked(chosen.stream().mapToLong(Long::longValue).toArray());
  }

  private long[] halton(Space space, int count) {
    Set<Long> chosen = new LinkedHashSet<>();
    int dimensions = space.parameters().size();
    for (long index = 1; chosen.size() < count && index < 100L * count; index++) {
      int[] places = new int[dimensions];
      for (int d = 0; d < dimensions; d++) {
        int values = space.parameters().get(d).values().length;
        places[d] = (int) (radicalInverse(index + seed, PRIMES[d % PRIMES.length]) * values);
      }
      long combination = space.combination(places);
      if (space.isAllowed(combination)) {
        chosen.add(combination);
      }
    }
    return checked(chosen.stream().mapToLong(Long::longValue).toArray());
  }

  /** The digits of the index to the base, mirrored at the point. */
  static double radicalInverse(long index, int base) {
    double result = 0;
    double digit = 1.0 / base;
    for (long rest = index; rest > 0; rest /= base) {
      result += rest % base * digit;
      digit /= base;
    }
    return result;
  }

  /** Rounds until one out of {@code factor} is left often enough to be few. */
  public int rounds(int candidates) {
    if (method != Method.HALVING) {
      return 1;
    }
    int rounds = 1;
    for (int left = candidates; left > factor * factor && rounds < 4; left /= factor) {
      rounds++;
    }
    return rounds;
  }

  /** How many generations the budget is enough for; one if all combinations can be tried. */
  public int generations(Space space) {
    boolean evolves = method == Method.EVOLUTION && space.size() > budget;
    return evolves ? Math.max(1, Math.ceilDiv(budget, factor)) : 1;
  }

  /** How many combinations are tried at once. */
  public double perRound(Space space) {
    return Math.min((double) space.size(), budget) / generations(space);
  }

  /** The part of the history that a round of halving looks at; the last looks at all. */
  public double shareOfHistory(int round, int rounds) {
    return method != Method.HALVING ? 1 : Math.pow(factor, round - rounds + 1.0);
  }
}
