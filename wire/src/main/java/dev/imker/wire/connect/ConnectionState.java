package dev.imker.wire.connect;

import java.net.URI;

/** The state of a {@link Connector}; every change is reported. */
public sealed interface ConnectionState {

  /** Trying this address. */
  record Connecting(URI address) implements ConnectionState {}

  /**
   * A session is running.
   *
   * @param resumed whether it is a resumed one
   */
  record Connected(URI address, boolean resumed) implements ConnectionState {}

  /** The attempt failed or the connection broke; the next attempt follows by itself. */
  record Waiting(String reason, long retryMillis) implements ConnectionState {}

  /**
   * The server rejected this side: wrong token, protocol too old. Attempts continue slowly, because
   * the reason may disappear; close the connector to give up.
   *
   * @param httpStatus of the refused upgrade, or 0 when the handshake was refused
   */
  record Refused(String reason, int httpStatus, long retryMillis) implements ConnectionState {}

  /** Closed by the application. */
  record Stopped() implements ConnectionState {}
}
