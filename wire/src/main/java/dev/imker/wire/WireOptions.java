package dev.imker.wire;

import java.time.Duration;

/**
 * Limits and intervals of an endpoint. The defaults suit thousands of sessions on one server.
 *
 * @param windowBytes limit of received but unprocessed bytes before the peer has to wait; sent but
 *     unconfirmed bytes are limited by this and by the peer's window
 * @param sendQueueBytes limit of bytes to be sent before senders have to wait
 * @param maxFrameBytes largest frame, and so largest message, that is sent or accepted
 * @param keepAlive interval of pings; a connection silent for three of them is dead
 * @param resumeWithin how long the accepting side keeps a session without connection
 * @param handshakeWithin how long a new connection may take to agree on a session
 * @param maxSessions limit beyond which the acceptor closes the session with the fewest messages
 */
public record WireOptions(
    int windowBytes,
    int sendQueueBytes,
    int maxFrameBytes,
    Duration keepAlive,
    Duration resumeWithin,
    Duration handshakeWithin,
    int maxSessions) {

  /** Frames are filled up to this size; every peer must accept frames of this size. */
  public static final int COALESCED_FRAME_BYTES = 64 << 10;

  public WireOptions {
    if (windowBytes < 1024 || sendQueueBytes < 1024) {
      throw new IllegalArgumentException("window and send queue need at least 1 KiB");
    }
    if (maxFrameBytes < COALESCED_FRAME_BYTES || maxFrameBytes > 64 << 20) {
      throw new IllegalArgumentException("frames are limited to between 64 KiB and 64 MiB");
    }
    if (keepAlive.toMillis() < 10 || maxSessions < 1) {
      throw new IllegalArgumentException("keepAlive below 10 ms or no sessions at all");
    }
  }

  public static WireOptions defaults() {
    return new WireOptions(
        256 << 10,
        128 << 10,
        1 << 20,
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        Duration.ofSeconds(10),
        20_000);
  }

  public WireOptions withWindowBytes(int bytes) {
    return withBytes(bytes, sendQueueBytes, maxFrameBytes);
  }

  public WireOptions withSendQueueBytes(int bytes) {
    return withBytes(windowBytes, bytes, maxFrameBytes);
  }

  public WireOptions withMaxFrameBytes(int bytes) {
    return withBytes(windowBytes, sendQueueBytes, bytes);
  }

  private WireOptions withBytes(int window, int queue, int frame) {
    return new WireOptions(
        window, queue, frame, keepAlive, resumeWithin, handshakeWithin, maxSessions);
  }

  public WireOptions withKeepAlive(Duration interval) {
    return withTimes(interval, resumeWithin, handshakeWithin, maxSessions);
  }

  public WireOptions withResumeWithin(Duration time) {
    return withTimes(keepAlive, time, handshakeWithin, maxSessions);
  }

  public WireOptions withHandshakeWithin(Duration time) {
    return withTimes(keepAlive, resumeWithin, time, maxSessions);
  }

  public WireOptions withMaxSessions(int sessions) {
    return withTimes(keepAlive, resumeWithin, handshakeWithin, sessions);
  }

  private WireOptions withTimes(
      Duration keepAlive, Duration resume, Duration handshake, int sessions) {
    return new WireOptions(
        windowBytes, sendQueueBytes, maxFrameBytes, keepAlive, resume, handshake, sessions);
  }
}
