package dev.imker.wire;

import dev.imker.wire.failure.MessageTooLargeException;
import dev.imker.wire.failure.SendQueueFullException;
import dev.imker.wire.failure.SessionClosedException;
import dev.imker.wire.frame.Frames;
import io.vertx.core.Context;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Brings messages into the outbox, and what is in the outbox to the connection of the moment. */
final class Sender {

  private final MessageDirectory directory;
  private final SendBuffer outbox;
  private final int maxFrameBytes;
  private volatile @Nullable Link link;

  Sender(MessageDirectory directory, SendBuffer outbox, int maxFrameBytes) {
    this.directory = directory;
    this.outbox = outbox;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** The connection by which to send; null while there is none. */
  void use(@Nullable Link current) {
    link = current;
  }

  @Nullable Link link() {
    return link;
  }

  /** Waits while the queue is full. */
  void send(Object message, long correlation) {
    sendBlocking(encode(message, correlation));
  }

  boolean trySend(Object message, long correlation) {
    return flushIfDue(outbox.append(encode(message, correlation), SendBuffer.Bound.QUEUE));
  }

  CompletableFuture<@Nullable Void> sendLater(Object message, long correlation) {
    CompletableFuture<@Nullable Void> accepted = new CompletableFuture<>();
    flushIfDue(outbox.appendLater(encode(message, correlation), accepted));
    return accepted;
  }

  /** Answers a request; false when answers pile up because the peer does not read them. */
  boolean respond(@Nullable Object response, long request, boolean mayWait) {
    if (response == null) {
      return respondFailure("the request was carried out without an answer", request, mayWait);
    }
    try {
      return answer(encode(response, Frames.responseTo(request)), mayWait);
    } catch (MessageTooLargeException | IllegalArgumentException e) {
      return respondFailure(String.valueOf(e.getMessage()), request, mayWait);
    }
  }

  boolean respondFailure(String reason, long request, boolean mayWait) {
    return answer(Control.failure(reason, Frames.responseTo(request)), mayWait);
  }

  private boolean answer(Encoded encoded, boolean mayWait) {
    try {
      if (mayWait) {
        sendBlocking(encoded);
        return true;
      }
      return flushIfDue(outbox.append(encoded, SendBuffer.Bound.ANSWERS));
    } catch (SessionClosedException | CancellationException e) {
      // The requester is gone; so is the need for an answer.
      return true;
    }
  }

  /**
   * Control frames need neither order nor credit; without a connection there is no need of them.
   */
  void sendControl(byte[] frame) {
    Link current = link;
    if (current != null) {
      current.write(frame);
    }
  }

  /** Sends what credit allows; on the link's own thread only. */
  void flush(Link by) {
    for (SendBuffer.Slice slice = outbox.take(by); slice != null; slice = outbox.take(by)) {
      by.write(slice.bytes(), slice.offset(), slice.length());
    }
  }

  private <T> Encoded encode(T message, long correlation) {
    Encoded encoded = Encoded.of(directory.entryOf(message), message, correlation);
    if (encoded.messageBytes() > maxFrameBytes) {
      throw new MessageTooLargeException(
          "%s of %d bytes, allowed are %d"
              .formatted(
                  message.getClass().getSimpleName(), encoded.messageBytes(), maxFrameBytes));
    }
    return encoded;
  }

  private void sendBlocking(Encoded message) {
    SendBuffer.Appended result = outbox.append(message, SendBuffer.Bound.QUEUE);
    if (result == SendBuffer.Appended.FULL) {
      if (Context.isOnEventLoopThread()) {
        throw new SendQueueFullException("the send queue is full, and an event loop cannot wait");
      }
      try {
        result = outbox.appendBlocking(message);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CancellationException("interrupted while waiting to send");
      }
    }
    flushIfDue(result);
  }

  private boolean flushIfDue(SendBuffer.Appended result) {
    if (result == SendBuffer.Appended.FLUSH) {
      flushLater();
    } else if (result == SendBuffer.Appended.FLUSH_SOON) {
      var _ =
          ForkJoinPool.commonPool()
              .schedule(this::flushOverdue, SendBuffer.GATHER_NANOS, TimeUnit.NANOSECONDS);
    }
    return result != SendBuffer.Appended.FULL;
  }

  private void flushOverdue() {
    if (outbox.flushOverdue()) {
      flushLater();
    }
  }

  private void flushLater() {
    Link current = link;
    if (current != null) {
      current.execute(() -> flush(current));
    }
  }
}
