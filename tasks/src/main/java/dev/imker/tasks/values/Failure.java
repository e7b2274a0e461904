package dev.imker.tasks.values;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * What is told of an exception: it does not travel itself, its class may not be known elsewhere.
 *
 * @param trace the stack trace as text, cut if it is long
 */
public record Failure(String type, String message, String trace) {
  private static final int LONGEST_TRACE_CHARS = 8_000;

  public static Failure of(Throwable cause) {
    StringWriter text = new StringWriter();
    try (PrintWriter writer = new PrintWriter(text)) {
      cause.printStackTrace(writer);
    }
    String trace = text.toString();
    return new Failure(
        cause.getClass().getName(),
        cause.getMessage() == null ? "" : cause.getMessage(),
        trace.length() <= LONGEST_TRACE_CHARS
            ? trace
            : trace.substring(0, LONGEST_TRACE_CHARS) + "\n\t…");
  }

  /** In one line. */
  @Override
  public String toString() {
    return message.isEmpty() || type.isEmpty() ? type + message : type + ": " + message;
  }
}
