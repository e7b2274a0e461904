package dev.imker.wire.failure;

/** Root of what this module throws at its user. */
public class WireException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }
}
