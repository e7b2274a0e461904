package dev.imker.server.rest;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what somebody may have meant. */
final class NearNames {
  private NearNames() {}

  static Optional<String> nearest(String name, Collection<String> known) {
    return nearest(name, known, 1).stream().findFirst();
  }

  /** Known names that are a few keystrokes away or have the name in them, nearest first. */
  static List<String> nearest(String name, Collection<String> known, int most) {
    int tolerated = Math.max(1, name.length() / 3);
    return known.stream()
        .filter(other -> distance(name, other) <= tolerated || other.contains(name))
        .sorted(Comparator.comparingInt(other -> distance(name, other)))
        .limit(most)
        .toList();
  }

  /** Levenshtein distance. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
