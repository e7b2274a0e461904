package dev.imker.wire;

import dev.imker.wire.connect.Acceptor;
import dev.imker.wire.connect.ConnectionState;
import dev.imker.wire.connect.Connector;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A server and a connector on loopback, as tests want them. */
public final class Pair implements AutoCloseable {

  /** What a listener heard. */
  public record Event(String what, Session session, String text) {}

  public final Vertx vertx = Vertx.vertx();
  public final Recorder serverEvents = new Recorder();
  public final Recorder clientEvents = new Recorder();
  public final BlockingQueue<ConnectionState> states = new LinkedBlockingQueue<>();
  final Acceptor acceptor;
  public final HttpServer server;
  final MessageDirectory clientDirectory;

  public Pair(
      MessageDirectory serverDirectory, MessageDirectory clientDirectory, WireOptions options) {
    this(serverDirectory, clientDirectory, options, new HttpServerOptions());
  }

  Pair(
      MessageDirectory serverDirectory,
      MessageDirectory clientDirectory,
      WireOptions options,
      HttpServerOptions serverOptions) {
    this.clientDirectory = clientDirectory;
    acceptor = new Acceptor(vertx, serverDirectory, options, serverEvents);
    server =
        vertx
            .createHttpServer(Acceptor.configure(serverOptions, options).setHost("127.0.0.1"))
            .webSocketHandler(socket -> acceptor.accept(socket, socket.headers().get("peer-name")));
    server.listen(0).toCompletionStage().toCompletableFuture().join();
  }

  public URI address() {
    return URI.create("ws://127.0.0.1:" + server.actualPort() + "/agents");
  }

  Connector connect(WireOptions options) {
    return connect(options, builder -> builder);
  }

  public Connector connect(WireOptions options, UnaryOperator<Connector.Builder> more) {
    return more.apply(
            Connector.builder(vertx, clientDirectory)
                .addresses(List.of(address()))
                .header("peer-name", "a")
                .options(options)
                .retry(Duration.ofMillis(5), Duration.ofMillis(50))
                .listener(clientEvents)
                .onState(states::add))
        .start();
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** Keeps events for a test to take. */
  public static final class Recorder implements SessionListener {

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    @Override
    public void opened(Session session) {
      events.add(new Event("opened", session, ""));
    }

    @Override
    public void suspended(Session session, String reason) {
      events.add(new Event("suspended", session, reason));
    }

    @Override
    public void resumed(Session session) {
      events.add(new Event("resumed", session, ""));
    }

    @Override
    public void closed(Session session, CloseReason reason) {
      events.add(new Event("closed", session, reason.toString()));
    }

    /** The next event, which must be this one. */
    public Event expect(String what) {
      try {
        Event event = events.poll(60, TimeUnit.SECONDS);
        if (event == null || !event.what().equals(what)) {
          throw new AssertionError("expected " + what + " but heard " + event);
        }
        return event;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    boolean isEmpty() {
      return events.isEmpty();
    }
  }
}
