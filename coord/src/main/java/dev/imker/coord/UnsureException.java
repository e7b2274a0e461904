package dev.imker.coord;

/**
 * It may have happened or not: the answer got lost, and asking again might make it happen twice.
 */
public final class UnsureException extends CoordinationException {
  private static final long serialVersionUID = 1L;

  public UnsureException(String message, Throwable cause) {
    super(message, cause);
  }
}
