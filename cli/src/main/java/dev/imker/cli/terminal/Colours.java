package dev.imker.cli.terminal;

import java.util.regex.Pattern;

/**
 * Colours for people at a terminal: the states of jobs and tasks. What goes into files and pipes
 * has none, unless they are asked for.
 */
public final class Colours {
  /** When there are colours. */
  public enum When {
    /** On terminals, unless NO_COLOR is set. */
    AUTO,
    ALWAYS,
    NEVER
  }

  private static final Pattern GOOD = states("DONE");
  private static final Pattern BAD = states("FAILED|AUTO_BLOCKED");
  private static final Pattern UNDER_WAY = states("RUNNING");
  private static final Pattern HELD = states("BLOCKED|CANCELLED");

  private static volatile When when = When.AUTO;

  private Colours() {}

  /** Words that stand alone; those in quotes are values of JSON. */
  private static Pattern states(String names) {
    return Pattern.compile("(?<![\\w\"'-])(" + names + ")(?![\\w\"'-])");
  }

  public static void use(When wanted) {
    when = wanted;
  }

  static boolean onOutput() {
    String none = System.getenv("NO_COLOR");
    return switch (when) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> (none == null || none.isEmpty()) && TerminalLine.isOutputTerminal();
    };
  }

  /** A line of capitals alone is the head of a table. */
  static String ofStates(String text) {
    if (text.chars().noneMatch(c -> Character.isLowerCase(c) || Character.isDigit(c))) {
      return text;
    }
    String painted = GOOD.matcher(text).replaceAll(paint(32, "$1"));
    painted = BAD.matcher(painted).replaceAll(paint(31, "$1"));
    painted = UNDER_WAY.matcher(painted).replaceAll(paint(36, "$1"));
    return HELD.matcher(painted).replaceAll(paint(33, "$1"));
  }

  private static String paint(int colour, String text) {
    return "\033[" + colour + "m" + text + "\033[0m";
  }
}
