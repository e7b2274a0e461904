package dev.imker.tasks.values;

/** A value that cannot be sent, or invalid bytes; the message names the place and the remedy. */
public final class ValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ValueException(String message) {
    super(message);
  }

  public ValueException(String message, Throwable cause) {
    super(message, cause);
  }
}
