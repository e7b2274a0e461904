package dev.imker.model.job;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One parameter of a sweep: either an explicit list of values, or a range of numbers (both ends
 * included; {@code width} pads with zeros). The first axis of a stage varies slowest.
 *
 * @param zip axes with the same non-empty value vary together and have the same size
 */
public record SweepAxis(
    String name, @Nullable List<String> values, @Nullable Range range, String zip) {
  /**
   * Integers from..to in steps; {@code step} is positive, the direction follows from the bounds.
   */
  public record Range(long from, long to, long step, int width) {
    public long size() {
      return Math.abs(to - from) / step + 1;
    }

    public String value(long position) {
      long number = from <= to ? from + position * step : from - position * step;
      String digits = Long.toString(Math.abs(number));
      String padded = "0".repeat(Math.max(0, width - digits.length())) + digits;
      return number < 0 ? "-" + padded : padded;
    }
  }

  public SweepAxis {
    if ((values == null) == (range == null)) {
      throw new IllegalArgumentException(
          "The parameter " + name + " needs either values or a range, not both.");
    }
    values = values == null ? null : List.copyOf(values);
  }

  public static SweepAxis of(String name, List<String> values) {
    return new SweepAxis(name, values, null, "");
  }

  public static SweepAxis range(String name, long from, long to, long step, int width) {
    return new SweepAxis(name, null, new Range(from, to, step, width), "");
  }

  public SweepAxis zippedAs(String mark) {
    return new SweepAxis(name, values, range, mark);
  }

  public long size() {
    return range != null ? range.size() : Objects.requireNonNull(values).size();
  }

  public String value(long position) {
    return range != null
        ? range.value(position)
        : Objects.requireNonNull(values).get(Math.toIntExact(position));
  }
}
