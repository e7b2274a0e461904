package dev.imker.wire;

import dev.imker.wire.frame.FrameReader;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.frame.MalformedFrameException;
import dev.imker.wire.proto.Confirm;
import dev.imker.wire.proto.Goodbye;
import dev.imker.wire.proto.Ping;
import dev.imker.wire.proto.Pong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames of a session's current connection, keeps the peer within its window, and grants
 * credit for what the application has processed.
 */
final class ReceiveWindow implements Link.Receiver {

  private final Session session;
  private final MessageRouter dispatcher;
  private final int windowBytes;
  private final int confirmBytes;
  private final int maxFrameBytes;
  private final AtomicLong processed = new AtomicLong();
  private final AtomicLong confirmed = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong messages = new AtomicLong();
  private volatile long lastFrameNanos;
  private volatile long roundTripNanos;
  private volatile long slowestRoundTripNanos;
  private final PingLimit pingLimit = new PingLimit();
  private @Nullable Link link;

  /**
   * @param peerWindowBytes the peer's own window, which limits what it keeps unconfirmed
   */
  ReceiveWindow(
      Session session, MessageRouter dispatcher, WireOptions options, int peerWindowBytes) {
    this.session = session;
    this.dispatcher = dispatcher;
    this.windowBytes = options.windowBytes();
    this.confirmBytes = Math.max(1, Math.min(windowBytes, peerWindowBytes) / 2);
    this.maxFrameBytes = options.maxFrameBytes();
  }

  /** Accepts only frames of this connection from now on. */
  synchronized Session.Progress attach(Link newLink) {
    link = newLink;
    lastFrameNanos = System.nanoTime();
    return progress();
  }

  /** The position of this side; the peer may rely on it, so it grants credit. */
  synchronized Session.Progress progress() {
    long done = processed.get();
    confirmed.accumulateAndGet(done, Math::max);
    return new Session.Progress(received.get(), done);
  }

  @Override
  public synchronized void onFrame(Link from, byte[] frame) {
    if (!from.equals(link)) {
      return;
    }
    lastFrameNanos = System.nanoTime();
    try {
      take(from, frame);
    } catch (MalformedFrameException e) {
      session.violated(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void onClosed(Link which, String reason) {
    session.linkClosed(which, reason);
  }

  private void take(Link from, byte[] frame) throws MalformedFrameException {
    if (frame.length == 0 || frame.length > maxFrameBytes) {
      throw new MalformedFrameException("frame of " + frame.length + " bytes");
    }
    FrameReader reader = new FrameReader(frame, maxFrameBytes);
    reader.next();
    if (reader.type() == Frames.CONTROL) {
      do {
        control(from, reader);
      } while (reader.next());
    } else {
      if (received.get() - confirmed.get() >= windowBytes) {
        throw new MalformedFrameException("sent more than the window of " + windowBytes + " bytes");
      }
      received.addAndGet(frame.length);
      dispatcher.received(frame, reader, this);
    }
  }

  private void control(Link from, FrameReader reader) throws MalformedFrameException {
    if (reader.type() != Frames.CONTROL) {
      throw new MalformedFrameException("control and data in one frame");
    }
    if (from.isClogged()) {
      throw new MalformedFrameException("sends but does not read");
    }
    switch (reader.subtype()) {
      case Control.CONFIRM ->
          confirmedByPeer(from, Control.read(reader, Confirm.parser()).getProcessedBytes());
      case Control.PING -> {
        if (pingLimit.isExceeded(lastFrameNanos)) {
          throw new MalformedFrameException("too many pings");
        }
        Ping ping = Control.read(reader, Ping.parser());
        confirmedByPeer(from, ping.getProcessedBytes());
        from.write(Control.pong(ping.getSentNanos(), progress().processedBytes()));
      }
      case Control.PONG -> {
        Pong pong = Control.read(reader, Pong.parser());
        roundTripNanos = System.nanoTime() - pong.getSentNanos();
        slowestRoundTripNanos = Math.max(roundTripNanos, slowestRoundTripNanos / 8 * 7);
        confirmedByPeer(from, pong.getProcessedBytes());
      }
      case Control.GOODBYE ->
          session.terminate(
              new CloseReason(
                  CloseReason.Kind.CLOSED_BY_PEER,
                  Control.read(reader, Goodbye.parser()).getReason()));
      case Control.OPEN, Control.ACCEPT, Control.REFUSE ->
          throw new MalformedFrameException("handshake in the middle of a session");
      default -> {
        // A control message of a later version, which is not essential to this one.
      }
    }
  }

  private void confirmedByPeer(Link from, long processedBytes) throws MalformedFrameException {
    if (!session.confirmedByPeer(processedBytes)) {
      throw new MalformedFrameException("confirmed what was never sent");
    }
    from.execute(() -> session.flush(from));
  }

  /** The application has processed this number of bytes; called by any thread. */
  void processed(long bytes) {
    processed.addAndGet(bytes);
    long total = processed.get();
    for (long told = confirmed.get(); total - told >= confirmBytes; told = confirmed.get()) {
      if (confirmed.compareAndSet(told, total)) {
        session.sendControl(Control.confirm(total));
        return;
      }
      total = processed.get();
    }
  }

  void count(int newMessages) {
    messages.addAndGet(newMessages);
  }

  int quantumBytes() {
    return Math.max(1, confirmBytes / 4);
  }

  int maxFrameBytes() {
    return maxFrameBytes;
  }

  long lastFrameNanos() {
    return lastFrameNanos;
  }

  long messages() {
    return messages.get();
  }

  long heldBytes() {
    return received.get() - processed.get();
  }

  /** The recent maximum, which decays with every ping. */
  long slowestRoundTripNanos() {
    return slowestRoundTripNanos;
  }

  long roundTripNanos() {
    return roundTripNanos;
  }
}
