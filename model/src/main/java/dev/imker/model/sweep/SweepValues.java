package dev.imker.model.sweep;

import dev.imker.model.InputException;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the values of one parameter: a range of numbers or letters, or a comma-separated list. */
public final class SweepValues {
  private static final Pattern NUMBERS =
      Pattern.compile("(-?\\d+)\\.\\.(-?\\d+)(?:\\.\\.(-?\\d+))?");
  private static final Pattern LETTERS = Pattern.compile("([A-Za-z])\\.\\.([A-Za-z])");

  private SweepValues() {}

  /**
   * @param whole the user's input, for messages
   */
  public static SweepAxis parse(String name, String text, String whole) {
    Matcher numbers = NUMBERS.matcher(text);
    if (numbers.matches()) {
      return numbers(name, numbers, whole);
    }
    Matcher letters = LETTERS.matcher(text);
    if (letters.matches()) {
      return SweepAxis.of(name, letters(letters.group(1).charAt(0), letters.group(2).charAt(0)));
    }
    List<String> values = list(text);
    if (values.size() == 1 && text.contains("..")) {
      throw new InputException(
          "'"
              + whole
              + "' is not a range: its ends must be whole numbers or single letters, as in"
              + " {1..100}, {1..100..5} or {a..e}.");
    }
    if (text.isEmpty()) {
      throw new InputException("'" + whole + "' has no values.");
    }
    return SweepAxis.of(name, values);
  }

  private static SweepAxis numbers(String name, Matcher range, String whole) {
    String first = range.group(1);
    String last = range.group(2);
    long from = number(first, whole);
    long to = number(last, whole);
    long step = range.group(3) == null ? 1 : Math.abs(number(range.group(3), whole));
    if (step == 0) {
      throw new InputException("'" + whole + "' has a step of 0: it would never end.");
    }
    if (Math.abs(to - from) / step >= JobSpec.MAX_TASKS) {
      throw new InputException(
          "'"
              + whole
              + "' has more than "
              + JobSpec.MAX_TASKS
              + " values, which is the maximum for one job.");
    }
    boolean padded = isPadded(first) || isPadded(last);
    int width = padded ? Math.max(digits(first), digits(last)) : 0;
    return SweepAxis.range(name, from, to, step, width);
  }

  private static List<String> letters(char from, char to) {
    List<String> letters = new ArrayList<>();
    int step = from <= to ? 1 : -1;
    for (int c = from; c != to + step; c += step) {
      letters.add(String.valueOf((char) c));
    }
    return letters;
  }

  private static List<String> list(String text) {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length() && "{},".indexOf(text.charAt(i + 1)) >= 0) {
        value.append(text.charAt(++i));
      } else if (c == ',') {
        values.add(value.toString());
        value.setLength(0);
      } else {
        value.append(c);
      }
    }
    values.add(value.toString());
    return values;
  }

  /** Limited to 15 digits, so that no arithmetic on the ends can overflow. */
  private static long number(String text, String whole) {
    if (digits(text) > 15) {
      throw new InputException("'" + text + "' in '" + whole + "' is too large.");
    }
    return Long.parseLong(text);
  }

  private static boolean isPadded(String number) {
    int start = number.startsWith("-") ? 1 : 0;
    return number.length() > start + 1 && number.charAt(start) == '0';
  }

  private static int digits(String number) {
    return number.startsWith("-") ? number.length() - 1 : number.length();
  }
}
