package dev.imker.jobfile;

import java.util.regex.Pattern;

/** Names of jobs, stages and projects: they can be typed as selectors, so they are no numbers. */
final class JobNaming {
  static final String PATTERN = "[\\p{L}_](?:[\\p{L}\\p{N}_-]|\\.(?=[\\p{L}\\p{N}_-])){0,99}";
  private static final Pattern NAME = Pattern.compile(PATTERN);
  private static final String LAST = "last";

  private JobNaming() {}

  static boolean isValid(String name) {
    return NAME.matcher(name).matches() && !name.equals(LAST);
  }

  /** The nearest valid name; empty if nothing of it can be used. */
  static String from(String text) {
    String name = text.replaceAll("[^\\p{L}\\p{N}_-]+", "-").replaceAll("^[^\\p{L}_]+|-+$", "");
    String cut = name.substring(0, Math.min(name.length(), 60));
    return isValid(cut) ? cut : "";
  }
}
