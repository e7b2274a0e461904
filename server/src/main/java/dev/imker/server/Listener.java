package dev.imker.server;

import dev.imker.server.http.ConnectionWatch;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/**
 * Serves a share of the connections on its own event loop. One is started per event loop; all share
 * the port.
 */
final class Listener extends VerticleBase {
  /** A free port, the same for all listeners that are started together. */
  static final int ANY_SHARED_PORT = -1;

  private final HttpServerOptions options;
  private final Handler<HttpServerRequest> handler;
  private final ConnectionWatch watch;
  private final int port;
  private final String host;
  private final List<HttpServer> started;

  Listener(
      HttpServerOptions options,
      Handler<HttpServerRequest> handler,
      ConnectionWatch watch,
      int port,
      String host,
      List<HttpServer> started) {
    this.watch = watch;
    this.options = options;
    this.handler = handler;
    this.port = port;
    this.host = host;
    this.started = started;
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer(options)
        .requestHandler(handler)
        .connectionHandler(watch::opened)
        .listen(port, host)
        .onSuccess(started::add);
  }
}
