package dev.imker.jobfile;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody may have meant. */
final class NearNames {
  private static final int SHOWN = 60;

  private NearNames() {}

  /** "Did you mean x?" or a list of what is known. */
  static String suggest(String name, Collection<String> known) {
    return nearest(name, known)
        .map(near -> "Did you mean " + near + "?")
        .orElse(known.isEmpty() ? "" : "Known: " + String.join(", ", known) + ".");
  }

  static Optional<String> nearest(String name, Collection<String> known) {
    String plain = plain(name);
    int tolerated = Math.max(1, plain.length() / 3);
    return known.stream()
        .filter(other -> isNear(plain, plain(other), tolerated))
        .min(Comparator.comparingInt(other -> distance(plain, plain(other))));
  }

  private static boolean isNear(String name, String other, int tolerated) {
    boolean begins = name.length() > 2 && other.startsWith(name);
    return begins || distance(name, other) <= tolerated;
  }

  static String shorten(String text) {
    String line = text.replace('\n', ' ');
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
  }

  /** maxFailures, max_failures and max-failures are meant alike. */
  private static String plain(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
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
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
