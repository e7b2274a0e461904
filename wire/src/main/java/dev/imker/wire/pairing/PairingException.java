package dev.imker.wire.pairing;

/** The other side does not know the code, sees another certificate, or sent malformed data. */
public final class PairingException extends Exception {
  private static final long serialVersionUID = 1;

  PairingException(String message) {
    super(message);
  }
}
