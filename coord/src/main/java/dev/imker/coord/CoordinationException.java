package dev.imker.coord;

/** The coordination service cannot be used. */
public class CoordinationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CoordinationException(String message, Throwable cause) {
    super(message, cause);
  }
}
