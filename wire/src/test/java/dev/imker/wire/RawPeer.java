package dev.imker.wire;

import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.Open;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.http.WebSocketFrame;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A peer that speaks the protocol by hand and need not keep to it. */
public final class RawPeer {

  final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
  final CompletableFuture<String> closed = new CompletableFuture<>();
  private final WebSocket socket;

  /** Kept, since a client that is collected closes its connections. */
  private final WebSocketClient client;

  private RawPeer(WebSocketClient client, WebSocket socket) {
    this.client = client;
    this.socket = socket;
    socket.frameHandler(
        frame -> {
          if (frame.isBinary()) {
            frames.add(frame.binaryData().getBytes());
          }
        });
    socket.closeHandler(_ -> closed.complete(String.valueOf(socket.closeReason())));
  }

  static RawPeer connect(Vertx vertx, int port) {
    WebSocketClient client =
        vertx.createWebSocketClient(new WebSocketClientOptions().setClosingTimeout(1));
    return client
        .connect(
            new WebSocketConnectOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setURI("/")
                .putHeader("peer-name", "raw"))
        .map(socket -> new RawPeer(client, socket))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }

  static Open.Builder open() {
    return Open.newBuilder()
        .setMinVersion(1)
        .setMaxVersion(1)
        .setWindowBytes(1 << 20)
        .setMaxFrameBytes(1 << 20);
  }

  /** Connects and agrees on a new session. */
  public static RawPeer withSession(Vertx vertx, int port) throws Exception {
    RawPeer peer = connect(vertx, port);
    peer.send(Control.open(open().build()));
    Control.only(peer.next(), Control.ACCEPT, Accept.parser());
    return peer;
  }

  void send(byte[] frame) {
    socket.writeFinalBinaryFrame(Buffer.buffer(frame));
  }

  void send(WebSocketFrame frame) {
    socket.writeFrame(frame);
  }

  /** Reads nothing from the network any more. */
  void stopReading() {
    socket.pause();
  }

  byte[] next() throws InterruptedException {
    byte[] frame = frames.poll(60, TimeUnit.SECONDS);
    if (frame == null) {
      throw new AssertionError("no frame came");
    }
    return frame;
  }

  public void disconnect() {
    client.close();
  }

  String closeReason() throws Exception {
    return closed.get(60, TimeUnit.SECONDS);
  }
}
