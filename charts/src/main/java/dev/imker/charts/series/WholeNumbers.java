package dev.imker.charts.series;

/** Numbers of bars come out of ranges as doubles; here they become ints or are refused. */
public final class WholeNumbers {
  private WholeNumbers() {}

  public static int atLeastOne(double value, String where) {
    int whole = of(value, where);
    if (whole < 1) {
      throw new UnusableParametersException(
          "%s needs at least 1 bar, not %d.".formatted(plain(where), whole));
    }
    return whole;
  }

  /** A shift by fewer than no bars would look into the future. */
  public static int notNegative(double value, String where) {
    int whole = of(value, where);
    if (whole < 0) {
      throw new UnusableParametersException(
          "%s cannot use %d bars: a negative number would look into the future."
              .formatted(plain(where), whole));
    }
    return whole;
  }

  private static int of(double value, String where) {
    if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
      throw new UnusableParametersException(
          "%s needs a whole number, not %s.".formatted(plain(where), value));
    }
    return (int) value;
  }

  /** "SMAIndicator(Indicator,int)" is "SMA" to people. */
  private static String plain(String where) {
    return where.replaceFirst("(Indicator)?\\(.*", "");
  }
}
