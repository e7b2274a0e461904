package dev.imker.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.server.loop.Command;
import dev.imker.server.update.AgentRelease;
import dev.imker.wire.Acceptor;
import dev.imker.wire.Connector;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireOptions;
import dev.imker.wire.proto.Hello;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ReceptionTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final GatewaySettings SETTINGS =
      new GatewaySettings("pool", "1", 1_000, 10_000, 0, List::of);
  private static final String PLATFORM =
      """
      {"os": "linux", "osVersion": "6", "arch": "x86_64", "hostName": "a", "cores": 4, "gpus": 0,
       "memoryBytes": 1000000000, "diskBytes": 1000000000, "benchmarkMillis": 1.0, "runtimes": {},
       "labels": []}
      """;
  private static final Hello HELLO =
      Hello.newBuilder()
          .setProtocol(Protocol.VERSION)
          .setAgentName("a")
          .setAgentId("agent-a")
          .setNodeId("node-a")
          .setSlots(1)
          .setPlatformJson(PLATFORM)
          .build();

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final AgentChannels channels = new AgentChannels();
  private final Reception reception =
      new Reception(SETTINGS, agent -> "token", new AgentRelease(), channels, commands::add);

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** The server's end of a real connection. */
  private Session session() throws InterruptedException {
    BlockingQueue<Session> opened = new LinkedBlockingQueue<>();
    WireOptions options = WireOptions.defaults();
    SessionListener listener =
        new SessionListener() {
          @Override
          public void opened(Session session) {
            opened.add(session);
          }
        };
    Acceptor acceptor = new Acceptor(vertx, MessageTypes.directory().build(), options, listener);
    HttpServer server =
        vertx
            .createHttpServer(
                Acceptor.configure(new HttpServerOptions(), options).setHost("127.0.0.1"))
            .webSocketHandler(socket -> acceptor.accept(socket, "a"));
    server.listen(0).toCompletionStage().toCompletableFuture().join();
    URI address = URI.create("ws://127.0.0.1:" + server.actualPort() + "/api/v1/agent");
    Connector.builder(vertx, MessageTypes.directory().build()).addresses(List.of(address)).start();
    return taken(opened);
  }

  private static <T> T taken(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Test
  void agent_that_left_before_it_was_introduced_is_not_kept() throws Exception {
    Session session = session();
    reception.onHello(session, HELLO);
    Command introduce = taken(commands);
    session.close("gone");
    await().until(session::isClosed);
    // Its end is applied in the same turn, before what is said when the turn is on disk.
    introduce.committed();
    Command leave = taken(commands);
    leave.failed(new IllegalStateException("as if the turn were abandoned"));
    assertThat(channels.size()).isZero();
  }

  @Test
  void agent_that_stays_is_kept() throws Exception {
    Session session = session();
    reception.onHello(session, HELLO);
    taken(commands).committed();
    assertThat(channels.size()).isEqualTo(1);
    assertThat(commands).isEmpty();
  }
}
