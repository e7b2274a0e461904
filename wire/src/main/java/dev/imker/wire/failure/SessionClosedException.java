package dev.imker.wire.failure;

/** The session has ended for good; nothing more can be sent in it. */
public final class SessionClosedException extends WireException {

  private static final long serialVersionUID = 1L;

  public SessionClosedException(String message) {
    super(message);
  }
}
