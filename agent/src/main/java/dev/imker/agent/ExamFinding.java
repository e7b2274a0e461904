package dev.imker.agent;

/**
 * One result of an examination.
 *
 * @param what was examined, in one word
 * @param text what was found
 * @param advice what to do about it; empty if there is nothing to do
 */
public record ExamFinding(Level level, String what, String text, String advice) {
  /** The severity. */
  public enum Level {
    FINE,
    /** The agent works, but not as well as it could. */
    NOTE,
    /** The agent cannot work like this. */
    BAD
  }

  public static ExamFinding fine(String what, String text) {
    return new ExamFinding(Level.FINE, what, text, "");
  }

  public static ExamFinding note(String what, String text, String advice) {
    return new ExamFinding(Level.NOTE, what, text, advice);
  }

  public static ExamFinding bad(String what, String text, String advice) {
    return new ExamFinding(Level.BAD, what, text, advice);
  }
}
