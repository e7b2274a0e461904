package dev.imker.model.validation;

import java.util.ArrayList;
import java.util.List;

final class Violations {
  private static final int MAX = 200;

  private final List<Violation> all = new ArrayList<>();

  void add(String field, String message, String cure) {
    if (all.size() < MAX) {
      all.add(new Violation(field, message, cure));
    }
  }

  /** Returns whether it is within its bounds. */
  boolean range(String field, long value, long least, long most) {
    boolean inside = value >= least && value <= most;
    if (!inside) {
      add(
          field,
          value + " is out of bounds.",
          "Give a whole number from %d to %d.".formatted(least, most));
    }
    return inside;
  }

  void count(String field, int count, int most) {
    if (count > most) {
      add(field, "There are %,d; %,d is the limit.".formatted(count, most), "");
    }
  }

  void length(String field, long chars, int most) {
    if (chars > most) {
      add(
          field,
          "It has more than %,d characters.".formatted(most),
          "Put it into a file and list that under inputs.");
    }
  }

  int count() {
    return all.size();
  }

  List<Violation> all() {
    return List.copyOf(all);
  }
}
