package dev.imker.coord;

/**
 * The outcome is unknown: the answer was lost, and repeating the request might execute it twice.
 */
public final class UnsureException extends CoordinationException {
  private static final long serialVersionUID = 1L;

  public UnsureException(String message, Throwable cause) {
    super(message, cause);
  }
}
