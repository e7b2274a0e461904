package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import dev.imker.model.Granted;
import dev.imker.model.job.Requirements;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The amount that a task needs: {@code 4}, {@code 0.25}, {@code 8 GB}, or {@code 2 GB * attempt}.
 *
 * @param count bytes or hundredths
 * @param byAttempt whether the second attempt gets twice as much, and so on
 * @param isWord whether it is a word: all cores, or automatic memory
 */
record Amount(long count, boolean byAttempt, boolean isWord) {
  static final Amount NONE = new Amount(0, false, false);

  private static final String GROWS = " ?\\* ?attempt";
  private static final Pattern GROWING = Pattern.compile(" *\\* *attempt$");
  private static final String DIGITS = "\\d{1,12}(\\.\\d{1,2})?";
  private static final Pattern NUMBER = Pattern.compile(DIGITS);

  double inUnits() {
    return (double) count / Requirements.HUNDREDTHS;
  }

  /**
   * A number in steps of a hundredth.
   *
   * @param least in hundredths
   * @param word alternative value; may be empty
   */
  static Kind<Amount> number(int least, int most, String word) {
    Map<String, Object> number =
        Map.of(
            "type", "number", "minimum", least / (double) Requirements.HUNDREDTHS, "maximum", most);
    String grown = "^(" + (word.isEmpty() ? "" : word + "|") + DIGITS + GROWS + ")$";
    String bounds =
        "Give a number from %s to %,d in steps of 0.01%s."
            .formatted(Granted.inWords(least), most, word.isEmpty() ? "" : ", or " + word);
    return kind(
        word,
        text -> {
          Optional<Long> count =
              NUMBER.matcher(text).matches()
                  ? Optional.of(new BigDecimal(text).movePointRight(2).longValueExact())
                  : Optional.empty();
          return count.filter(c -> c >= least && c <= (long) most * Requirements.HUNDREDTHS);
        },
        "an amount",
        bounds,
        Map.of("anyOf", List.of(number, Map.of("type", "string", "pattern", grown))));
  }

  /** A size in bytes. */
  static Kind<Amount> size(String word) {
    String sizes = Units.SIZE_PATTERN.substring(1, Units.SIZE_PATTERN.length() - 1);
    String or = word.isEmpty() ? "" : word + "|";
    return kind(
        word,
        text -> Optional.ofNullable(Units.bytes(text)),
        "a size with a unit",
        "Write it as 512 MB or 2 GB" + (word.isEmpty() ? "." : ", or " + word + "."),
        Map.of("type", "string", "pattern", "^(" + or + sizes + "(" + GROWS + ")?)$"));
  }

  private interface Count {
    Optional<Long> of(String text);
  }

  private static Kind<Amount> kind(
      String word, Count count, String what, String fix, Map<String, Object> schema) {
    return Kinds.of(
        (tree, spot, findings) -> read(tree, spot, findings, word, count, what, fix), schema);
  }

  private static @Nullable Amount read(
      Tree tree, Spot spot, Findings findings, String word, Count count, String what, String fix) {
    String text = Kinds.text().read(tree, spot.field(), findings);
    if (text == null) {
      return null;
    }
    if (!word.isEmpty() && text.equals(word)) {
      return new Amount(0, false, true);
    }
    boolean grows = GROWING.matcher(text).find();
    Optional<Long> amount = count.of(GROWING.matcher(text).replaceFirst(""));
    if (amount.isEmpty()) {
      findings.error(spot, "'%s' is not %s.".formatted(Hints.shorten(text), what), fix);
      return null;
    }
    return new Amount(amount.get(), grows, false);
  }

  /** Its representation in a file; a plain number if possible. */
  static Object written(double amount, boolean grows) {
    String text = Granted.inWords(Requirements.hundredths(amount));
    return grows ? text + " * attempt" : new BigDecimal(text);
  }

  static String written(long bytes, boolean grows) {
    return Units.size(bytes) + (grows ? " * attempt" : "");
  }
}
