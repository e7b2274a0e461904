package dev.imker.wire.failure;

/** The message exceeds what this side or the peer accepts. Send it in parts. */
public final class MessageTooLargeException extends WireException {

  private static final long serialVersionUID = 1L;

  public MessageTooLargeException(String message) {
    super(message);
  }
}
