package dev.imker.cli.terminal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Colours for people at a terminal: the states of jobs and tasks, and errors. What goes into files
 * and pipes has none, unless they are asked for.
 */
public final class Colours {
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
    return isWanted(TerminalLine::isOutputTerminal);
  }

  private static boolean isWanted(BooleanSupplier onTerminal) {
    String none = System.getenv("NO_COLOR");
    return switch (when) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> (none == null || none.isEmpty()) && onTerminal.getAsBoolean();
    };
  }

  /**
   * Prints what went wrong to standard error; only the first word is red, so that it reads well.
   */
  public static void printError(PrintWriter err, PrintStream terminal, String message) {
    String name = "imker:";
    if (isWanted(TerminalLine::isPossible)) {
      // Past the writer, which lets no colours of others through.
      err.flush();
      terminal.print(paint("1;31", name));
      terminal.flush();
      err.println(" " + message);
    } else {
      err.println(name + " " + message);
    }
  }

  /** A line of capitals alone is the head of a table. */
  static String ofStates(String text) {
    if (text.chars().noneMatch(c -> Character.isLowerCase(c) || Character.isDigit(c))) {
      return text;
    }
    String painted = GOOD.matcher(text).replaceAll(paint("32", "$1"));
    painted = BAD.matcher(painted).replaceAll(paint("31", "$1"));
    painted = UNDER_WAY.matcher(painted).replaceAll(paint("36", "$1"));
    return HELD.matcher(painted).replaceAll(paint("33", "$1"));
  }

  private static String paint(String colour, String text) {
    return "\033[" + colour + "m" + text + "\033[0m";
  }
}
