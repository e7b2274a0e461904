package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Attack;
import dev.imker.wire.connect.ConnectionState;
import dev.imker.wire.connect.Connector;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Refuse;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.WebSocketFrame;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class HandshakeTest {

  private static final WireOptions OPTIONS = WireOptions.defaults();

  private final MessageDirectory none = MessageTypes.directory().build();

  @Test
  void peer_of_another_protocol_version_is_told_what_to_do() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      RawPeer future = RawPeer.connect(pair.vertx, pair.server.actualPort());
      future.send(Control.open(RawPeer.open().setMinVersion(7).setMaxVersion(9).build()));
      String reason = Control.only(future.next(), Control.REFUSE, Refuse.parser()).getReason();
      assertThat(reason).contains("1 to 1").contains("7 to 9").contains("update the older side");
      assertThat(future.closeReason()).isNotEmpty();
      assertThat(pair.acceptor.sessions()).isEmpty();
    }
  }

  @Test
  void newer_peer_that_still_speaks_our_version_is_welcome() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      RawPeer newer = RawPeer.connect(pair.vertx, pair.server.actualPort());
      newer.send(Control.open(RawPeer.open().setMaxVersion(9).build()));
      pair.serverEvents.expect("opened");
    }
  }

  @Test
  @Attack("connect and say nothing")
  void connection_without_handshake_is_closed_after_a_while() throws Exception {
    WireOptions impatient = OPTIONS.withHandshakeWithin(Duration.ofMillis(50));
    try (Pair pair = new Pair(none, none, impatient)) {
      RawPeer silent = RawPeer.connect(pair.vertx, pair.server.actualPort());
      assertThat(silent.closeReason()).contains("no handshake in time");
    }
  }

  @Test
  @Attack("send garbage instead of a handshake")
  void garbage_instead_of_a_handshake_is_refused() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      for (byte[] garbage :
          List.of(new byte[0], new byte[] {1}, Control.ping(1, 1), Control.confirm(3))) {
        RawPeer peer = RawPeer.connect(pair.vertx, pair.server.actualPort());
        peer.send(garbage);
        assertThat(peer.closeReason()).contains("malformed handshake");
      }
      assertThat(pair.acceptor.sessions()).isEmpty();
    }
  }

  @Test
  @Attack("send malformed frames")
  void malformed_frames_close_the_session_with_the_reason() throws Exception {
    byte[] data = Encoded.of(200, 1, Codecs.bytes(), new byte[10], Frames.ONE_WAY).toFrame();
    byte[] controlThenData = new byte[Control.confirm(0).length + data.length];
    System.arraycopy(Control.confirm(0), 0, controlThenData, 0, Control.confirm(0).length);
    System.arraycopy(data, 0, controlThenData, Control.confirm(0).length, data.length);
    expectViolation(peer -> peer.send(new byte[0]), "frame of 0 bytes");
    expectViolation(peer -> peer.send(new byte[] {100, 2, 1, 0}), "does not fit its frame");
    expectViolation(peer -> peer.send(controlThenData), "control and data in one frame");
    expectViolation(peer -> peer.send(Control.confirm(1)), "confirmed what was never sent");
    expectViolation(
        peer -> peer.send(Control.open(RawPeer.open().build())), "handshake in the middle");
  }

  private void expectViolation(Consumer<RawPeer> sending, String reason) throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      RawPeer peer = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      pair.serverEvents.expect("opened");
      sending.accept(peer);
      assertThat(pair.serverEvents.expect("closed").text())
          .contains("PROTOCOL_VIOLATION")
          .contains(reason);
      assertThat(peer.closeReason()).contains(reason);
    }
  }

  @Test
  @Attack("send a payload that is not a message")
  void invalid_payload_closes_the_session() throws Exception {
    MessageDirectory handled = MessageTypes.directory().on(Hello.class, (_, _) -> {}).build();
    try (Pair pair = new Pair(handled, none, OPTIONS)) {
      RawPeer peer = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      pair.serverEvents.expect("opened");
      peer.send(
          Encoded.of(
                  MessageTypes.FROM_AGENT,
                  1,
                  Codecs.bytes(),
                  new byte[] {-1, -1, -1},
                  Frames.ONE_WAY)
              .toFrame());
      assertThat(pair.serverEvents.expect("closed").text()).contains("not valid protobuf");
    }
  }

  @Test
  @Attack("send text and fragments")
  void text_and_fragments_end_the_connection() throws Exception {
    for (WebSocketFrame frame :
        List.of(
            WebSocketFrame.textFrame("hello", true),
            WebSocketFrame.binaryFrame(Buffer.buffer("part"), false))) {
      try (Pair pair = new Pair(none, none, OPTIONS)) {
        RawPeer peer = RawPeer.withSession(pair.vertx, pair.server.actualPort());
        peer.send(frame);
        assertThat(peer.closeReason()).contains("whole binary frames");
      }
    }
  }

  @Test
  void refused_upgrade_is_reported_with_its_reason_and_tried_again() throws Exception {
    Vertx vertx = Vertx.vertx();
    BlockingQueue<ConnectionState> states = new LinkedBlockingQueue<>();
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> request.response().setStatusCode(401).end("the token is wrong"))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    Connector connector =
        Connector.builder(vertx, none)
            .addresses(List.of(URI.create("ws://127.0.0.1:" + server.actualPort() + "/")))
            .retry(Duration.ofMillis(1), Duration.ofMillis(10))
            .onState(states::add)
            .start();
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(states.poll(60, TimeUnit.SECONDS)).isInstanceOf(ConnectionState.Connecting.class);
      assertThat(states.poll(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              ConnectionState.Refused.class,
              refused -> {
                assertThat(refused.httpStatus()).isEqualTo(401);
                assertThat(refused.reason()).contains("the token is wrong");
              });
    }
    connector.close("enough");
    vertx.close().toCompletionStage().toCompletableFuture().join();
    assertThat(states).contains(new ConnectionState.Stopped());
  }

  @Test
  @Attack("open more sessions than there is room for")
  void beyond_the_limit_the_session_with_the_fewest_messages_goes() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS.withMaxSessions(2))) {
      RawPeer busy = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      Session busySession = pair.serverEvents.expect("opened").session();
      byte[] data = Encoded.of(200, 1, Codecs.bytes(), new byte[10], Frames.ONE_WAY).toFrame();
      busy.send(data);
      Awaitility.await().until(() -> busySession.stats().messagesReceived() == 1);
      RawPeer idle = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      Session idleSession = pair.serverEvents.expect("opened").session();
      RawPeer third = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      assertThat(idle.closeReason()).contains("too many sessions");
      assertThat(pair.acceptor.sessions()).hasSize(2).contains(busySession);
      assertThat(idleSession.isClosed()).isTrue();
      third.disconnect();
      busy.disconnect();
    }
  }

  @Test
  void silent_connection_is_given_up() throws Exception {
    WireOptions lively = OPTIONS.withKeepAlive(Duration.ofMillis(20));
    try (Pair pair = new Pair(none, none, lively)) {
      RawPeer silent = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      pair.serverEvents.expect("opened");
      assertThat(pair.serverEvents.expect("suspended").text()).contains("no heartbeat");
      silent.disconnect();
    }
  }
}
