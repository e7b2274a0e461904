package dev.imker.agent;

/**
 * One result of an examination.
 *
 * @param what was looked at, in a word
 * @param text what was found
 * @param advice what to do about it; empty if there is nothing to do
 */
public record Finding(Level level, String what, String text, String advice) {
  /** How bad it is. */
  public enum Level {
    FINE,
    /** The agent works, but not as well as it could. */
    NOTE,
    /** The agent cannot work like this. */
    BAD
  }

  public static Finding fine(String what, String text) {
    return new Finding(Level.FINE, what, text, "");
  }

  public static Finding note(String what, String text, String advice) {
    return new Finding(Level.NOTE, what, text, advice);
  }

  public static Finding bad(String what, String text, String advice) {
    return new Finding(Level.BAD, what, text, advice);
  }
}
