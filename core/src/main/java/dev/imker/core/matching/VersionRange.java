package dev.imker.core.matching;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of versions as users write it: conditions separated by blanks or commas that must all
 * hold, each one of {@code >= > <= < =} and a version; a version alone means that version and
 * everything below it ({@code 3.8} holds for 3.8.1); nothing or {@code *} holds for all.
 */
record VersionRange(List<Condition> conditions) {
  record Condition(String operator, String version) {
    boolean holds(String actual) {
      return switch (operator) {
        case ">=" -> compare(actual, version) >= 0;
        case ">" -> compare(actual, version) > 0;
        case "<=" -> compare(actual, version) <= 0;
        case "<" -> compare(actual, version) < 0;
        case "=" -> compare(actual, version) == 0;
        default -> actual.equals(version) || actual.startsWith(version + ".");
      };
    }
  }

  static VersionRange parse(String text) {
    List<Condition> conditions = new ArrayList<>();
    for (String part : text.replaceAll("([<>=]) +", "$1").split("[ ,]+", -1)) {
      if (!part.isEmpty() && !part.equals("*")) {
        int digits = 0;
        while (digits < part.length() && "<>=".indexOf(part.charAt(digits)) >= 0) {
          digits++;
        }
        conditions.add(new Condition(part.substring(0, digits), part.substring(digits)));
      }
    }
    return new VersionRange(conditions);
  }

  boolean contains(String version) {
    return conditions.stream().allMatch(condition -> condition.holds(version));
  }

  /** Numbers are compared as numbers, missing parts are zero, other parts as text. */
  static int compare(String one, String other) {
    String[] left = one.split("[._+-]", -1);
    String[] right = other.split("[._+-]", -1);
    for (int i = 0; i < Math.max(left.length, right.length); i++) {
      int result = comparePart(i < left.length ? left[i] : "0", i < right.length ? right[i] : "0");
      if (result != 0) {
        return result;
      }
    }
    return 0;
  }

  private static int comparePart(String one, String other) {
    boolean numbers = isNumber(one) && isNumber(other);
    return numbers
        ? Long.compare(Long.parseLong(one), Long.parseLong(other))
        : one.compareTo(other);
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() < 18
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
