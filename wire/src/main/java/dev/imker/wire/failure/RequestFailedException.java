package dev.imker.wire.failure;

/** The peer answered that it could not execute the request. */
public final class RequestFailedException extends WireException {

  private static final long serialVersionUID = 1L;

  public RequestFailedException(String message) {
    super(message);
  }
}
