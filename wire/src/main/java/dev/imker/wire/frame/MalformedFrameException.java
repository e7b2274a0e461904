package dev.imker.wire.frame;

/** The peer sent bytes that violate the protocol; its session is closed with this message. */
public final class MalformedFrameException extends Exception {

  private static final long serialVersionUID = 1L;

  public MalformedFrameException(String message) {
    super(message, null, false, false);
  }
}
