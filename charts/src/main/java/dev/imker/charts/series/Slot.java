package dev.imker.charts.series;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.ta4j.core.Indicator;

/**
 * A place for an argument.
 *
 * @param type the Java type ta4j wants there
 * @param fallback what stands there when the user says nothing; null if the user must
 */
public record Slot(String name, Kind kind, Class<?> type, @Nullable Argument fallback) {
  /** What may be put into a slot. */
  public enum Kind {
    SERIES,
    WHOLE_NUMBER,
    NUMBER,
    CHOICE,
    FLAG
  }

  /** What a written value looks like before it is known where it goes. */
  public enum Shape {
    NUMBER,
    NAME,
    SERIES
  }

  boolean accepts(Shape shape) {
    return switch (kind) {
      case SERIES -> shape != Shape.NUMBER || (fallback == null && type == Indicator.class);
      case WHOLE_NUMBER, NUMBER -> shape == Shape.NUMBER;
      case CHOICE, FLAG -> shape == Shape.NAME;
    };
  }

  /** Whether some other kind of indicator than one of numbers is wanted here. */
  public boolean isParticular() {
    return type != Indicator.class;
  }

  /** Whether an indicator is of the kind that is wanted here. */
  public boolean fits(SeriesExpr expression) {
    return Ta4jSignatures.makes(expression, type);
  }

  /** "bars", "barCount", "bar-count" and, for "shortBarCount", also "short" mean the same. */
  boolean isNamed(String written) {
    String mine = simplified(name);
    String theirs = simplified(written);
    return theirs.equals(mine)
        || (theirs + "bars").equals(mine)
        || (kind == Kind.SERIES && theirs.equals("of"));
  }

  /** How the docs and messages write it. */
  public String label() {
    if (kind == Kind.SERIES && simplified(name).matches("indicator|price|priceindicator|ref")) {
      return "of";
    }
    String words = name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    return words.replace("bar-count", "bars");
  }

  static String simplified(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    return plain.replace("barcount", "bars");
  }

  /** The constants of a choice, as they are written in files. */
  public List<String> choices() {
    Object[] constants = type.getEnumConstants();
    return constants == null
        ? List.of("true", "false")
        : Stream.of(constants).map(c -> ((Enum<?>) c).name().toLowerCase(Locale.ROOT)).toList();
  }

  /** The constant a written name stands for, or null. */
  public @Nullable Object choice(String written) {
    if (kind == Kind.FLAG) {
      return choices().contains(written) ? Boolean.valueOf(written) : null;
    }
    return Stream.of(Objects.requireNonNull(type.getEnumConstants()))
        .filter(c -> simplified(((Enum<?>) c).name()).equals(simplified(written)))
        .findFirst()
        .orElse(null);
  }
}
