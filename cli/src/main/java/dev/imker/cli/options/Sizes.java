package dev.imker.cli.options;

import dev.imker.model.ImkerException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them. */
public final class Sizes {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})([KMGT]?)B?");

  private Sizes() {}

  /** Bytes of 100, 20K, 500M, 3G or 1T; -1 of the word none. */
  public static long parse(String option, String text) {
    if (text.equals("none")) {
      return -1;
    }
    Matcher matcher = SIZE.matcher(text.toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new ImkerException(
          option + " " + text + ": write a size such as 500M or 20G, or none.");
    }
    int power = " KMGT".indexOf(matcher.group(2).isEmpty() ? ' ' : matcher.group(2).charAt(0));
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> (10 * power)) {
      throw new ImkerException(option + " " + text + ": no machine has that much.");
    }
    return number << (10 * power);
  }
}
