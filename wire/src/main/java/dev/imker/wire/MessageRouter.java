package dev.imker.wire;

import dev.imker.wire.failure.RequestFailedException;
import dev.imker.wire.frame.FrameReader;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.frame.MalformedFrameException;
import dev.imker.wire.proto.Failure;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches the messages of a session to their handlers.
 *
 * <p>A frame goes to the session's mailbox as a whole, so that there is one hand-off per frame and
 * not per message. Only if there is work for the reading thread, that is responses to complete or
 * inline handlers to call, it scans the frame first and does that work; the delivery thread then
 * skips those messages. A response cannot come before its request is pending, so none is missed.
 */
record MessageRouter(Session session, MessageDirectory directory, PendingRequests pending) {
  private static final Logger LOG = LoggerFactory.getLogger(MessageRouter.class);

  /** Takes a frame; the reader is positioned at its first message. */
  void received(byte[] frame, FrameReader reader, ReceiveWindow inbox)
      throws MalformedFrameException {
    if (pending.isEmpty() && !directory.hasInlineHandlers()) {
      session.deliver(() -> deliver(frame, inbox, true));
      return;
    }
    int count = 0;
    long doneBytes = 0;
    boolean deferred = false;
    do {
      count++;
      refuseControl(reader);
      if (isDeferred(reader)) {
        deferred = true;
      } else {
        doneBytes += handleAtOnce(reader, inbox);
      }
    } while (reader.next());
    inbox.count(count);
    if (deferred) {
      session.deliver(() -> deliver(frame, inbox, false));
    }
    if (doneBytes > 0) {
      inbox.processed(doneBytes);
    }
  }

  private static void refuseControl(FrameReader reader) throws MalformedFrameException {
    if (reader.type() == Frames.CONTROL) {
      throw new MalformedFrameException("control and data in one frame");
    }
  }

  private boolean isDeferred(FrameReader reader) {
    if (Frames.isResponse(reader.correlation())) {
      return false;
    }
    MessageEntry<?> entry = directory.find(reader.type(), reader.subtype());
    return entry != null && entry.isHandled() && !entry.inline();
  }

  private int handleAtOnce(FrameReader reader, ReceiveWindow inbox) throws MalformedFrameException {
    if (Frames.isResponse(reader.correlation())) {
      complete(reader);
      return reader.messageBytes();
    }
    MessageEntry<?> entry = directory.find(reader.type(), reader.subtype());
    if (entry != null && entry.isHandled()) {
      return handle(entry, reader, inbox, false);
    }
    skip(entry, reader);
    return reader.messageBytes();
  }

  private void skip(@Nullable MessageEntry<?> entry, FrameReader reader) {
    directory.countSkipped();
    if (Frames.isRequest(reader.correlation())) {
      String what = entry == null ? reader.type() + "/" + reader.subtype() : entry.name();
      session.respondFailure(
          "this side does not answer requests of " + what, reader.correlation(), false);
    }
  }

  private void complete(FrameReader reader) throws MalformedFrameException {
    PendingRequests.Pending request = pending.remove(Frames.requestId(reader.correlation()));
    if (request == null) {
      return;
    }
    if (reader.type() == Frames.SESSION && reader.subtype() == Control.FAILURE) {
      String reason = Control.read(reader, Failure.parser()).getReason();
      request.response().completeExceptionally(new RequestFailedException(reason));
      return;
    }
    MessageEntry<?> entry = directory.find(reader.type(), reader.subtype());
    if (entry != null && entry.messageClass() == request.expected()) {
      request.response().complete(reader.payload(entry.codec()));
    } else {
      String what = entry == null ? "an unknown message" : entry.name();
      request
          .response()
          .completeExceptionally(new RequestFailedException("the response was " + what));
    }
  }

  /** The scan of the delivery thread: over everything, or what the reading thread has left. */
  private void deliver(byte[] frame, ReceiveWindow inbox, boolean everything) {
    FrameReader reader = new FrameReader(frame, inbox.maxFrameBytes());
    int count = 0;
    long doneBytes = 0;
    try {
      while (reader.next() && !session.isDiscarding()) {
        MessageEntry<?> entry = directory.find(reader.type(), reader.subtype());
        if (entry != null && isDeferred(reader)) {
          doneBytes += handle(entry, reader, inbox, true);
          if (doneBytes >= inbox.quantumBytes()) {
            inbox.processed(doneBytes);
            doneBytes = 0;
          }
        } else if (everything) {
          refuseControl(reader);
          doneBytes += handleAtOnce(reader, inbox);
        }
        count++;
      }
      if (everything) {
        inbox.count(count);
      }
      inbox.processed(doneBytes);
    } catch (MalformedFrameException e) {
      session.violated(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Calls the handler and returns the bytes processed: none while an answer is outstanding, so that
   * credit also limits the number of concurrent requests.
   */
  private <T> int handle(
      MessageEntry<T> entry, FrameReader reader, ReceiveWindow inbox, boolean mayWait)
      throws MalformedFrameException {
    int bytes = reader.messageBytes();
    T message = reader.payload(entry.codec());
    MessageHandler<? super T> handler = entry.handler();
    RequestHandler<? super T, ?> requestHandler = entry.requestHandler();
    long correlation = reader.correlation();
    try {
      if (requestHandler != null) {
        CompletionStage<?> answer = requestHandler.handle(session, message);
        boolean atOnce = answer.toCompletableFuture().isDone();
        respond(
            answer,
            correlation,
            mayWait && atOnce,
            atOnce ? () -> {} : () -> inbox.processed(bytes));
        return atOnce ? bytes : 0;
      } else if (handler != null) {
        handler.handle(session, message);
        if (Frames.isRequest(correlation)) {
          session.respondFailure(entry.name() + " is not a request", correlation, mayWait);
        }
      }
    } catch (Throwable e) {
      LOG.error("handler of {} from {} failed", entry.name(), session.peerName(), e);
      if (Frames.isRequest(correlation)) {
        session.respondFailure(describe(e), correlation, mayWait);
      } else {
        // Nobody would learn that the message had no effect; a new session repeats everything.
        session.end(
            new CloseReason(CloseReason.Kind.FAILED_HERE, entry.name() + " could not be handled"));
      }
    }
    return bytes;
  }

  private void respond(
      CompletionStage<?> answer, long correlation, boolean mayWait, Runnable afterwards) {
    var _ =
        answer.whenComplete(
            (response, failure) -> {
              if (Frames.isRequest(correlation)) {
                if (failure != null) {
                  session.respondFailure(describe(failure), correlation, mayWait);
                } else {
                  session.respond(response, correlation, mayWait);
                }
              }
              afterwards.run();
            });
  }

  private static String describe(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String text = cause.getMessage();
    return text == null ? cause.getClass().getSimpleName() : text;
  }
}
