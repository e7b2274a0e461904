package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.testbase.Attack;
import dev.imker.wire.failure.SendQueueFullException;
import dev.imker.wire.frame.Codec;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.Frames;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class FlowControlTest {

  private static final int WINDOW = 64 << 10;
  private static final int QUEUE = 32 << 10;
  private static final WireOptions OPTIONS =
      WireOptions.defaults().withWindowBytes(WINDOW).withSendQueueBytes(QUEUE);
  private static final int SLACK = 17 << 10;
  private static final Duration LONG = Duration.ofSeconds(20);

  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicLong consumed = new AtomicLong();

  private static MessageDirectory.Builder directory() {
    return MessageDirectory.builder().register(200, 1, byte[].class, Codecs.bytes());
  }

  private MessageDirectory stalled() {
    return directory()
        .on(
            byte[].class,
            (_, _) -> {
              awaitGate();
              consumed.incrementAndGet();
            })
        .build();
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void stalled_application_holds_a_window_at_most_on_both_sides_and_goes_on_afterwards() {
    try (Pair pair = new Pair(stalled(), directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session sender = pair.clientEvents.expect("opened").session();
      Session receiver = pair.serverEvents.expect("opened").session();
      long accepted = fillUntilFull(sender);
      assertThat(sender.stats().heldOutBytes())
          .isBetween((long) WINDOW, WINDOW + QUEUE + 2L * SLACK);
      Awaitility.await().atMost(LONG).until(() -> receiver.stats().heldInBytes() >= WINDOW);
      assertThat(receiver.stats().heldInBytes()).isLessThanOrEqualTo((long) WINDOW + SLACK);
      assertThat(consumed.get()).isZero();
      gate.countDown();
      for (int i = 0; i < 10_000; i++) {
        sender.send(new byte[100]);
      }
      Awaitility.await().atMost(LONG).until(() -> consumed.get() == accepted + 10_000);
      assertThat(receiver.stats().heldInBytes()).isZero();
    }
  }

  /** Sends until even the connection takes nothing more; returns how many were accepted. */
  private static long fillUntilFull(Session sender) {
    long accepted = 0;
    long last = -1;
    while (accepted != last || sender.stats().heldOutBytes() < WINDOW + QUEUE) {
      last = accepted;
      while (sender.trySend(new byte[100])) {
        accepted++;
      }
      Thread.onSpinWait();
    }
    return accepted;
  }

  @Test
  void stalled_application_does_not_stop_responses_or_keep_alive() throws Exception {
    WireOptions lively = OPTIONS.withKeepAlive(Duration.ofMillis(20));
    MessageDirectory server =
        directory()
            .register(201, 1, String.class, new TextCodec())
            .on(byte[].class, (_, _) -> awaitGate())
            .build();
    MessageDirectory client =
        directory()
            .register(201, 1, String.class, new TextCodec())
            .onRequest(String.class, (_, text) -> text + "!")
            .build();
    try (Pair pair = new Pair(server, client, lively)) {
      pair.connect(lively);
      pair.clientEvents.expect("opened").session().send(new byte[1]);
      Session stalled = pair.serverEvents.expect("opened").session();
      assertThat(stalled.request("hey", String.class, LONG)).isEqualTo("hey!");
      Awaitility.await().until(() -> stalled.stats().roundTripNanos() > 0);
      gate.countDown();
    }
  }

  @Test
  void asynchronous_send_waits_for_room_and_too_many_of_them_are_refused() throws Exception {
    try (Pair pair = new Pair(stalled(), directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session sender = pair.clientEvents.expect("opened").session();
      fillUntilFull(sender);
      CompletableFuture<?> waiting = sender.sendAsync(new byte[100]);
      assertThat(waiting).isNotDone();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 2000; i++) {
                  var _ = sender.sendAsync(new byte[100]);
                }
              })
          .isInstanceOf(SendQueueFullException.class);
      gate.countDown();
      waiting.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  @Attack("ignore the flow control")
  void sender_that_ignores_the_window_is_thrown_out() throws Exception {
    try (Pair pair = new Pair(stalled(), directory().build(), OPTIONS)) {
      RawPeer hostile = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      byte[] frame = Encoded.of(200, 1, Codecs.bytes(), new byte[10_000], Frames.ONE_WAY).toFrame();
      Session session = pair.serverEvents.expect("opened").session();
      for (int i = 0; i < 100; i++) {
        hostile.send(frame);
      }
      assertThat(hostile.closeReason()).contains("window of 65536 bytes");
      assertThat(session.stats().heldInBytes()).isLessThan(WINDOW + 10_100L);
      gate.countDown();
      assertThat(pair.serverEvents.expect("closed").text())
          .contains("PROTOCOL_VIOLATION")
          .contains("window");
    }
  }

  @Test
  @Attack("send requests and never read the answers")
  void peer_that_asks_but_never_reads_is_thrown_out() throws Exception {
    MessageDirectory echo =
        directory()
            .onRequestInline(byte[].class, (_, m) -> CompletableFuture.completedStage(m))
            .build();
    try (Pair pair = new Pair(echo, directory().build(), OPTIONS)) {
      RawPeer hostile = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      Session session = pair.serverEvents.expect("opened").session();
      byte[] request =
          Encoded.of(200, 1, Codecs.bytes(), new byte[10_000], Frames.request(1)).toFrame();
      for (int i = 0; i < 100; i++) {
        hostile.send(request);
      }
      assertThat(pair.serverEvents.expect("closed").text()).contains("answers are not read");
      assertThat(session.stats().heldOutBytes()).isZero();
    }
  }

  @Test
  @Attack("flood with pings")
  void peer_that_floods_pings_is_thrown_out() throws Exception {
    try (Pair pair = new Pair(stalled(), directory().build(), OPTIONS)) {
      RawPeer hostile = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      pair.serverEvents.expect("opened");
      hostile.stopReading();
      for (int i = 0; i < 1000; i++) {
        hostile.send(Control.ping(1, 0));
      }
      assertThat(pair.serverEvents.expect("closed").text()).contains("too many pings");
    }
  }

  @Test
  @Attack("flood with WebSocket pings")
  void peer_that_floods_websocket_pings_loses_its_connection() throws Exception {
    try (Pair pair = new Pair(stalled(), directory().build(), OPTIONS)) {
      RawPeer hostile = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      pair.serverEvents.expect("opened");
      hostile.stopReading();
      WebSocketFrame ping = WebSocketFrame.pingFrame(Buffer.buffer(new byte[100]));
      for (int i = 0; i < 1000; i++) {
        hostile.send(ping);
      }
      assertThat(pair.serverEvents.expect("suspended").text()).contains("too many pings");
    }
  }

  @Test
  @Attack("claim a huge window")
  void huge_window_of_the_peer_does_not_make_this_side_keep_more() throws Exception {
    try (Pair pair = new Pair(directory().build(), directory().build(), OPTIONS)) {
      RawPeer greedy = RawPeer.connect(pair.vertx, pair.server.actualPort());
      greedy.send(Control.open(RawPeer.open().setWindowBytes(Integer.MAX_VALUE).build()));
      Session session = pair.serverEvents.expect("opened").session();
      fillUntilFull(session);
      assertThat(session.stats().heldOutBytes()).isLessThan(WINDOW + QUEUE + 2L * SLACK);
    }
  }

  private static final class TextCodec implements Codec<String> {

    @Override
    public int sizeBytes(String message) {
      return message.length();
    }

    @Override
    public void write(String message, byte[] into, int offset, int length) {
      for (int i = 0; i < length; i++) {
        into[offset + i] = (byte) message.charAt(i);
      }
    }

    @Override
    public String read(byte[] from, int offset, int length) {
      return new String(from, offset, length, StandardCharsets.US_ASCII);
    }
  }
}
