package dev.imker.wire.failure;

/** Too many messages are waiting to be sent. Wait for earlier ones, or drop this one. */
public final class SendQueueFullException extends WireException {

  private static final long serialVersionUID = 1L;

  public SendQueueFullException(String message) {
    super(message);
  }
}
