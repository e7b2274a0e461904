package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.wire.failure.SessionClosedException;
import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Stop;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

final class ResumeTest {

  private static final WireOptions OPTIONS = WireOptions.defaults().withWindowBytes(32 << 10);
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void nothing_is_lost_or_repeated_when_connections_die_at_random_moments() throws Exception {
    int messages = 200_000;
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Sequence atServer = new Sequence();
    Sequence atClient = new Sequence();
    MessageDirectory server =
        MessageTypes.directory().on(NeedJob.class, (_, m) -> atServer.take(m.getJob())).build();
    MessageDirectory client =
        MessageTypes.directory()
            .on(JobDescription.class, (_, m) -> atClient.take(m.getJob()))
            .build();
    try (Pair pair = new Pair(server, client, OPTIONS)) {
      Chaos chaos = new Chaos(pair.vertx, pair.server.actualPort());
      pair.connect(OPTIONS, builder -> builder.addresses(List.of(chaos.address())));
      Session fromClient = pair.clientEvents.expect("opened").session();
      Session fromServer = pair.serverEvents.expect("opened").session();
      Thread up = Thread.ofVirtual().start(() -> sendAll(fromClient, messages, true));
      Thread down = Thread.ofVirtual().start(() -> sendAll(fromServer, messages, false));
      int cuts = 0;
      while (up.isAlive() || down.isAlive()) {
        LockSupport.parkNanos(random.nextLong(30_000_000));
        chaos.cutAll();
        cuts++;
      }
      Awaitility.await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(atServer.next.get()).as("seed " + seed).isEqualTo(messages);
                assertThat(atClient.next.get()).as("seed " + seed).isEqualTo(messages);
              });
      assertThat(cuts).isPositive();
      assertThat(atServer.wrong.get() + atClient.wrong.get()).as("seed " + seed).isZero();
      assertThat(fromClient.isClosed() || fromServer.isClosed()).isFalse();
    }
  }

  private static void sendAll(Session session, int messages, boolean up) {
    for (int i = 0; i < messages; i++) {
      session.send(
          up
              ? NeedJob.newBuilder().setJob(i).build()
              : JobDescription.newBuilder().setJob(i).build());
    }
  }

  @Test
  void request_under_way_survives_the_loss_of_the_connection() throws Exception {
    CompletableFuture<JobDescription> answer = new CompletableFuture<>();
    BlockingQueue<NeedJob> asked = new LinkedBlockingQueue<>();
    MessageDirectory server =
        MessageTypes.directory()
            .onRequestAsync(
                NeedJob.class,
                (_, need) -> {
                  asked.add(need);
                  return answer;
                })
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      Chaos chaos = new Chaos(pair.vertx, pair.server.actualPort());
      pair.connect(OPTIONS, builder -> builder.addresses(List.of(chaos.address())));
      Session session = pair.clientEvents.expect("opened").session();
      CompletableFuture<JobDescription> response =
          session.requestAsync(NeedJob.getDefaultInstance(), JobDescription.class, LONG);
      assertThat(asked.poll(60, TimeUnit.SECONDS)).isNotNull();
      chaos.cutAll();
      pair.clientEvents.expect("suspended");
      pair.clientEvents.expect("resumed");
      answer.complete(JobDescription.newBuilder().setJob(5).build());
      assertThat(response.get(60, TimeUnit.SECONDS).getJob()).isEqualTo(5);
    }
  }

  @Test
  void messages_sent_while_disconnected_arrive_after_the_resume() throws Exception {
    BlockingQueue<Long> atServer = new LinkedBlockingQueue<>();
    MessageDirectory server =
        MessageTypes.directory().on(NeedJob.class, (_, m) -> atServer.add(m.getJob())).build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      Chaos chaos = new Chaos(pair.vertx, pair.server.actualPort());
      pair.connect(OPTIONS, builder -> builder.addresses(List.of(chaos.address())));
      Session session = pair.clientEvents.expect("opened").session();
      chaos.refuse(true);
      chaos.cutAll();
      pair.clientEvents.expect("suspended");
      assertThat(session.isConnected()).isFalse();
      assertThat(session.trySend(NeedJob.newBuilder().setJob(9).build())).isTrue();
      chaos.refuse(false);
      pair.clientEvents.expect("resumed");
      assertThat(atServer.poll(60, TimeUnit.SECONDS)).isEqualTo(9);
    }
  }

  @Test
  void session_that_the_server_has_dropped_is_replaced_by_a_new_one_and_both_sides_know() {
    WireOptions forgetful = OPTIONS.withResumeWithin(Duration.ofMillis(1));
    MessageDirectory none = MessageTypes.directory().build();
    try (Pair pair = new Pair(none, none, forgetful)) {
      Chaos chaos = new Chaos(pair.vertx, pair.server.actualPort());
      pair.connect(OPTIONS, builder -> builder.addresses(List.of(chaos.address())));
      Session first = pair.clientEvents.expect("opened").session();
      pair.serverEvents.expect("opened");
      chaos.refuse(true);
      chaos.cutAll();
      pair.serverEvents.expect("suspended");
      assertThat(pair.serverEvents.expect("closed").text()).contains("LOST");
      chaos.refuse(false);
      pair.clientEvents.expect("suspended");
      assertThat(pair.clientEvents.expect("closed").text()).contains("LOST");
      Session second = pair.clientEvents.expect("opened").session();
      assertThat(second).isNotSameAs(first);
      assertThatThrownBy(() -> first.send(Stop.getDefaultInstance()))
          .isInstanceOf(SessionClosedException.class);
      pair.serverEvents.expect("opened");
    }
  }

  @Test
  void session_of_another_peer_cannot_be_resumed() throws Exception {
    MessageDirectory none = MessageTypes.directory().build();
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      pair.connect(OPTIONS);
      Session victim = pair.serverEvents.expect("opened").session();
      RawPeer thief = RawPeer.connect(pair.vertx, pair.server.actualPort());
      thief.send(Control.open(RawPeer.open().setSessionId(victim.id()).build()));
      var accept = Control.only(thief.next(), Control.ACCEPT, Accept.parser());
      assertThat(accept.getResumed()).isFalse();
      assertThat(accept.getSessionId()).isNotEqualTo(victim.id());
      assertThat(victim.isConnected()).isTrue();
    }
  }

  @Test
  void resume_from_an_impossible_position_gets_a_new_session() throws Exception {
    MessageDirectory none = MessageTypes.directory().build();
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      RawPeer liar = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      Session session = pair.serverEvents.expect("opened").session();
      RawPeer again = RawPeer.connect(pair.vertx, pair.server.actualPort());
      again.send(
          Control.open(RawPeer.open().setSessionId(session.id()).setReceivedBytes(1000).build()));
      var accept = Control.only(again.next(), Control.ACCEPT, Accept.parser());
      assertThat(accept.getResumed()).isFalse();
      assertThat(pair.serverEvents.expect("closed").text()).contains("cannot be resumed");
      assertThat(liar.closeReason()).contains("cannot be resumed");
    }
  }

  @Test
  void connector_tries_its_addresses_in_turn() {
    MessageDirectory none = MessageTypes.directory().build();
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      pair.connect(
          OPTIONS,
          builder ->
              builder.addresses(List.of(URI.create("ws://127.0.0.1:1/agents"), pair.address())));
      pair.clientEvents.expect("opened");
    }
  }

  /** Expects 0, 1, 2, … */
  private static final class Sequence {
    private final AtomicLong next = new AtomicLong();
    private final AtomicInteger wrong = new AtomicInteger();

    void take(long value) {
      if (next.getAndIncrement() != value) {
        wrong.incrementAndGet();
      }
    }
  }
}
