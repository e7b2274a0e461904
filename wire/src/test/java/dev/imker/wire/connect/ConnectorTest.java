package dev.imker.wire.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.wire.KeepAlive;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Pair;
import dev.imker.wire.RawPeer;
import dev.imker.wire.Session;
import dev.imker.wire.WireOptions;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How one of several servers is found. */
final class ConnectorTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final WireOptions OPTIONS = WireOptions.defaults().withHandshakeWithin(HOUR);

  private final MessageDirectory none = MessageTypes.directory().build();

  /** Takes connections and never says a word. */
  private static ServerSocket hanging() throws Exception {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private static URI address(int port) {
    return URI.create("ws://127.0.0.1:" + port + "/agents");
  }

  private static ConnectionState.Waiting waiting(Pair pair) throws InterruptedException {
    ConnectionState state = pair.states.poll(60, TimeUnit.SECONDS);
    while (state != null && !(state instanceof ConnectionState.Waiting)) {
      state = pair.states.poll(60, TimeUnit.SECONDS);
    }
    assertThat(state).isNotNull();
    return (ConnectionState.Waiting) state;
  }

  @Test
  void server_that_hangs_is_left_for_the_next() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS);
        ServerSocket hanging = hanging()) {
      pair.connect(
          OPTIONS, b -> b.addresses(List.of(address(hanging.getLocalPort()), pair.address())));
      pair.clientEvents.expect("opened");
    }
  }

  @Test
  void who_is_sent_to_a_leader_that_is_gone_asks_again_before_long() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      URI gone;
      try (ServerSocket closedSoon = hanging()) {
        gone = address(closedSoon.getLocalPort());
      }
      AtomicReference<URI> leader = new AtomicReference<>(gone);
      HttpServer standby =
          pair.vertx
              .createHttpServer()
              .requestHandler(
                  request ->
                      request
                          .response()
                          .setStatusCode(307)
                          .putHeader(
                              "Location", String.valueOf(leader.get()).replace("ws:", "http:"))
                          .end());
      standby.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
      pair.connect(
          OPTIONS,
          b -> b.addresses(List.of(address(standby.actualPort()))).retry(HOUR, HOUR.plusHours(1)));
      ConnectionState.Waiting first = waiting(pair);
      assertThat(first.reason()).contains("leads the pool does not answer");
      assertThat(first.retryMillis()).isLessThanOrEqualTo(500);
      leader.set(pair.address());
      pair.clientEvents.expect("opened");
    }
  }

  @Test
  void pings_may_be_made_more_frequent_so_that_silence_is_noticed() throws Exception {
    WireOptions calm = OPTIONS.withKeepAlive(HOUR);
    try (Pair pair = new Pair(none, none, calm)) {
      RawPeer silent = RawPeer.withSession(pair.vertx, pair.server.actualPort());
      Session session = pair.serverEvents.expect("opened").session();
      session.keepAlive(Duration.ofMillis(100));
      assertThat(pair.serverEvents.expect("suspended").text()).isEqualTo(KeepAlive.SILENT);
      silent.disconnect();
    }
  }

  /** Runs what came last first, when it is asked to. */
  private static final class LastFirst implements Executor {
    private final BlockingDeque<Runnable> tasks = new LinkedBlockingDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.addFirst(task);
    }

    void runAll() {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
      }
    }
  }

  private static void awaitConnected(Pair pair) throws InterruptedException {
    ConnectionState state;
    do {
      state = pair.states.poll(60, TimeUnit.SECONDS);
      assertThat(state).isNotNull();
    } while (!(state instanceof ConnectionState.Connected));
  }

  @Test
  void end_of_a_session_is_heard_before_the_begin_of_the_next() throws Exception {
    LastFirst executor = new LastFirst();
    try (Pair pair = new Pair(none, none, OPTIONS)) {
      pair.connect(OPTIONS, b -> b.executor(executor));
      awaitConnected(pair);
      executor.runAll();
      Session first = pair.clientEvents.expect("opened").session();
      pair.serverEvents.expect("opened").session().close("once more");
      awaitConnected(pair);
      executor.runAll();
      assertThat(pair.clientEvents.expect("closed").session()).isEqualTo(first);
      assertThat(pair.clientEvents.expect("opened").session()).isNotEqualTo(first);
    }
  }
}
