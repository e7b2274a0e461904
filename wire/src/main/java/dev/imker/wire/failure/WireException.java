package dev.imker.wire.failure;

/** Root of the exceptions of this module. */
public class WireException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }
}
