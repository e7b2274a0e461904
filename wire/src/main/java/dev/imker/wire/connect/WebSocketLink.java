package dev.imker.wire.connect;

import dev.imker.wire.Link;
import dev.imker.wire.PingLimit;
import dev.imker.wire.WireOptions;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketBase;
import io.vertx.core.http.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A WebSocket of Vert.x as {@link Link}. */
final class WebSocketLink implements Link {

  /**
   * Bytes that may remain unread by the peer, in addition to the data window, before the connection
   * counts as clogged.
   */
  private static final int CONTROL_SLACK_BYTES = 64 << 10;

  private static final short PROTOCOL_CLOSE = 1000;
  private static final int MAX_CLOSE_REASON_BYTES = 123;

  private final WebSocketBase socket;
  private final Context context;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final PingLimit pingLimit = new PingLimit();
  private volatile Receiver receiver;
  private volatile @Nullable String closeReason;

  WebSocketLink(WebSocketBase socket, Context context, WireOptions options, Receiver first) {
    this.socket = socket;
    this.context = context;
    this.receiver = first;
    socket.setWriteQueueMaxSize(
        options.sendQueueBytes()
            + options.windowBytes()
            + options.maxFrameBytes()
            + CONTROL_SLACK_BYTES);
    socket.frameHandler(this::onWebSocketFrame);
    socket.exceptionHandler(failure -> fail(String.valueOf(failure.getMessage())));
    socket.closeHandler(_ -> onClose());
  }

  private void onWebSocketFrame(WebSocketFrame frame) {
    if (closed.get()) {
      return;
    }
    if (frame.isBinary() && frame.isFinal()) {
      receiver.onFrame(this, frame.binaryData().getBytes());
    } else if (frame.isBinary() || frame.isText() || frame.isContinuation()) {
      close("only whole binary frames are understood here");
    } else if (frame.isPing() && pingLimit.isExceeded(System.nanoTime())) {
      close("too many pings");
    }
  }

  private void fail(String reason) {
    if (closeReason == null) {
      closeReason = reason;
    }
    onClose();
    socket.close();
  }

  private void onClose() {
    if (closed.compareAndSet(false, true)) {
      String own = closeReason;
      String peers = socket.closeReason();
      receiver.onClosed(this, own != null ? own : peers != null ? peers : "connection lost");
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    if (!closed.get()) {
      Buffer copy = Buffer.buffer(length).appendBytes(bytes, offset, length);
      socket.writeFrame(WebSocketFrame.binaryFrame(copy, true));
    }
  }

  @Override
  public void execute(Runnable task) {
    context.runOnContext(_ -> task.run());
  }

  @Override
  public boolean isClogged() {
    try {
      return !closed.get() && socket.writeQueueFull();
    } catch (IllegalStateException e) {
      // This is how Vert.x reports that the socket was closed in the meantime.
      return false;
    }
  }

  @Override
  public void close(String reason) {
    if (closeReason == null) {
      closeReason = reason;
    }
    socket.close(PROTOCOL_CLOSE, shortened(reason));
    // The peer's answer may never arrive, and nothing it sends from now on matters.
    execute(this::onClose);
  }

  @Override
  public void deliverTo(Receiver next) {
    receiver = next;
  }

  private static String shortened(String reason) {
    String text = reason;
    while (text.getBytes(StandardCharsets.UTF_8).length > MAX_CLOSE_REASON_BYTES) {
      text = text.substring(0, text.length() - 1);
    }
    return text;
  }
}
