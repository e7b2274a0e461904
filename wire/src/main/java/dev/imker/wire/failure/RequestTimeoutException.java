package dev.imker.wire.failure;

/** No response came in time. The request may have been executed nevertheless. */
public final class RequestTimeoutException extends WireException {

  private static final long serialVersionUID = 1L;

  public RequestTimeoutException(String message) {
    super(message);
  }
}
