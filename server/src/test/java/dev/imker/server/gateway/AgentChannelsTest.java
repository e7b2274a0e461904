package dev.imker.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireOptions;
import dev.imker.wire.connect.Acceptor;
import dev.imker.wire.connect.Connector;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An agent comes and goes in any order in which the server may hear of it. */
class AgentChannelsTest {
  private static final AgentId AGENT = new AgentId("a");
  private static final Vertx VERTX = Vertx.vertx();
  private static final BlockingQueue<Session> ACCEPTED = new LinkedBlockingQueue<>();
  private static HttpServer server;
  private final AgentChannels channels = new AgentChannels();

  @BeforeAll
  static void listen() {
    SessionListener listener =
        new SessionListener() {
          @Override
          public void opened(Session session) {
            ACCEPTED.add(session);
          }
        };
    WireOptions options = WireOptions.defaults();
    Acceptor acceptor = new Acceptor(VERTX, MessageTypes.directory().build(), options, listener);
    server =
        VERTX
            .createHttpServer(Acceptor.configure(new HttpServerOptions(), options))
            .webSocketHandler(socket -> acceptor.accept(socket, "agent"))
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  @AfterAll
  static void stop() {
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  private static AgentChannel connect() throws InterruptedException {
    Connector.builder(VERTX, MessageTypes.directory().build())
        .addresses(List.of(URI.create("ws://127.0.0.1:" + server.actualPort())))
        .start();
    return new AgentChannel(
        AGENT,
        new NodeId("node"),
        Objects.requireNonNull(ACCEPTED.poll(60, TimeUnit.SECONDS), "nobody came"));
  }

  @Test
  void an_agent_is_here_from_its_admission_until_it_leaves() throws Exception {
    AgentChannel only = connect();
    channels.introduce(only);
    assertThat(channels.get(AGENT)).isNull();
    assertThat(channels.admit(only)).isTrue();
    assertThat(channels.get(AGENT)).isSameAs(only);
    assertThat(channels.leave(only)).isTrue();
    assertThat(channels.get(AGENT)).isNull();
    assertThat(channels.leave(only)).isFalse();
  }

  @Test
  void one_that_left_before_it_was_admitted_is_not_here() throws Exception {
    AgentChannel brief = connect();
    channels.introduce(brief);
    assertThat(channels.leave(brief)).isTrue();
    assertThat(channels.admit(brief)).isFalse();
    assertThat(channels.get(AGENT)).isNull();
  }

  @Test
  void the_end_of_an_old_connection_between_introduction_and_admission_takes_nobody_away()
      throws Exception {
    AgentChannel old = connect();
    AgentChannel fresh = connect();
    channels.introduce(old);
    channels.admit(old);
    channels.introduce(fresh);
    assertThat(channels.leave(old)).isFalse();
    assertThat(channels.admit(fresh)).isTrue();
    assertThat(channels.get(AGENT)).isSameAs(fresh);
  }

  @Test
  void a_newer_connection_takes_the_place_of_the_one_before() throws Exception {
    AgentChannel old = connect();
    AgentChannel fresh = connect();
    channels.introduce(old);
    channels.admit(old);
    channels.introduce(fresh);
    assertThat(channels.admit(fresh)).isTrue();
    await().until(() -> old.session().isClosed());
    assertThat(channels.leave(old)).isFalse();
    assertThat(channels.get(AGENT)).isSameAs(fresh);
  }

  @Test
  void of_two_that_come_at_once_the_newer_is_admitted() throws Exception {
    AgentChannel old = connect();
    AgentChannel fresh = connect();
    channels.introduce(old);
    channels.introduce(fresh);
    assertThat(channels.admit(old)).isFalse();
    assertThat(channels.admit(fresh)).isTrue();
    await().until(() -> old.session().isClosed());
    assertThat(channels.get(AGENT)).isSameAs(fresh);
  }
}
