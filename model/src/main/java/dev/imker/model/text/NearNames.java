package dev.imker.model.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Suggests known names for an unknown one. */
public final class NearNames {
  private static final int SHORT = 3;
  private static final int NO_GUESS = Integer.MAX_VALUE;

  private NearNames() {}

  /** The known name that was most likely meant; empty if none is similar enough. */
  public static Optional<String> nearest(String wrong, Collection<String> known) {
    return nearest(wrong, known, 1).stream().findFirst();
  }

  /**
   * Known names that are a few keystrokes away or contain the unknown one, nearest first; among
   * equally near ones, first those that need just one more letter (run for rn, not rm), then the
   * shortest.
   */
  public static List<String> nearest(String wrong, Collection<String> known, int most) {
    String plain = plain(wrong);
    int tolerated = plain.length() <= SHORT ? 1 : Math.max(2, plain.length() / 3);
    return known.stream()
        .map(
            name ->
                new Guess(
                    name, distance(plain, plain(name), tolerated), lacksOneOf(plain, plain(name))))
        .filter(guess -> guess.distance != NO_GUESS)
        .sorted(Guess.NEAREST_FIRST)
        .limit(most)
        .map(Guess::name)
        .toList();
  }

  private record Guess(String name, int distance, boolean lacksOne) {
    static final Comparator<Guess> NEAREST_FIRST =
        Comparator.comparingInt(Guess::distance)
            .thenComparing(guess -> !guess.lacksOne)
            .thenComparingInt(guess -> guess.name.length());
  }

  /** Whether a word becomes the name by adding one letter. */
  private static boolean lacksOneOf(String word, String name) {
    int at = 0;
    for (int i = 0; i < name.length() && at < word.length(); i++) {
      at += name.charAt(i) == word.charAt(at) ? 1 : 0;
    }
    return at == word.length() && name.length() == word.length() + 1;
  }

  private static int distance(String wrong, String name, int tolerated) {
    int longer = name.length() - wrong.length();
    if (wrong.length() >= SHORT && name.contains(wrong)) {
      return name.startsWith(wrong) ? Math.min(1, longer) : longer;
    }
    // A name of a megabyte is not a typing error.
    int distance = Math.abs(longer) > tolerated ? NO_GUESS : distance(wrong, name);
    return distance > tolerated ? NO_GUESS : distance;
  }

  /** maxFailures, max_failures and max-failures are equivalent. */
  private static String plain(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }

  /** Levenshtein distance in which swapping two neighbours counts once. */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = cell(a, b, i, j, cost);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int cell(String a, String b, int i, int j, int[][] cost) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int best = Math.min(cost[i - 1][j - 1] + change, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
