package dev.imker.core.strategy;

import java.util.Collection;

/** Finds what somebody may have meant. */
final class NearestName {
  private NearestName() {}

  /** Text such as {@code " (did you mean 'balanced'?)"}; empty if nothing is near. */
  static String suggest(String typed, Collection<String> names) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String name : names) {
      int distance = name.startsWith(typed) ? 1 : distance(typed, name);
      if (distance < least) {
        least = distance;
        best = name;
      }
    }
    return least <= Math.max(2, typed.length() / 3) ? " (did you mean '" + best + "'?)" : "";
  }

  /** Levenshtein distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
