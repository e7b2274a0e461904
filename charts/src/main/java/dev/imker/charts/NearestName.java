package dev.imker.charts;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelt one most likely meant. */
public final class NearestName {
  private NearestName() {}

  /**
   * The nearest of {@code known}, the shortest of equally near ones, if it is near enough to be
   * worth suggesting.
   */
  public static Optional<String> to(String wrong, Collection<String> known) {
    String target = wrong.toLowerCase(Locale.ROOT);
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(target, candidate.toLowerCase(Locale.ROOT));
      boolean isShorter = best != null && candidate.length() < best.length();
      if (distance < bestDistance || (distance == bestDistance && isShorter)) {
        bestDistance = distance;
        best = candidate;
      }
    }
    int tolerated = Math.max(2, target.length() / 2);
    return bestDistance <= tolerated ? Optional.ofNullable(best) : Optional.empty();
  }

  /** " Did you mean 'x'?" or, without a near name and few known ones, the list of them. */
  public static String hint(String wrong, Collection<String> known) {
    Optional<String> nearest = to(wrong, known);
    if (nearest.isPresent()) {
      return " Did you mean '" + nearest.get() + "'?";
    }
    return known.size() <= 30 ? " Known: " + String.join(", ", known) + "." : "";
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
