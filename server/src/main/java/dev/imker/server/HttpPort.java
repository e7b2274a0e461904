package dev.imker.server;

import dev.imker.model.ImkerException;
import dev.imker.server.http.ConnectionWatch;
import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.server.internal.tls.ServerCertificate;
import dev.imker.wire.WireOptions;
import dev.imker.wire.connect.Acceptor;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.ext.web.Router;
import java.net.BindException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

/** The single port of the server, with TLS if there is a certificate. */
final class HttpPort {
  private static final int MAX_URL_BYTES = 16 << 10;

  private final ServerSettings settings;
  private final Optional<CertificateRenewal> certificate;
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

  HttpPort(ServerSettings settings, Optional<CertificateRenewal> certificate) {
    this.settings = settings;
    this.certificate = certificate;
  }

  static int eventLoops() {
    return Math.max(2, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Begins to listen.
   *
   * @throws PortInUseException if another program listens there
   */
  HttpServer open(Vertx vertx, Router router, ConnectionWatch watch, WireOptions wire) {
    HttpServerOptions options =
        Acceptor.configure(new HttpServerOptions(), wire)
            .setMaxInitialLineLength(MAX_URL_BYTES)
            .setHttp2ClearTextEnabled(false);
    certificate.ifPresent(own -> options.setSsl(true).setKeyCertOptions(pem(own.current())));
    int port = settings.port() == 0 ? Listener.ANY_SHARED_PORT : settings.port();
    try {
      vertx
          .deployVerticle(
              () -> new Listener(options, router, watch, port, settings.host(), servers),
              new DeploymentOptions().setInstances(eventLoops()))
          .toCompletionStage()
          .toCompletableFuture()
          .join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      throw refused(settings.host(), settings.port(), cause == null ? e : cause);
    }
    certificate.ifPresent(own -> own.start(this::show));
    vertx.setPeriodic(watch.millisBetweenLooks(), _ -> watch.look());
    return servers.getFirst();
  }

  /** Why nobody can listen there, and what to do. */
  static ImkerException refused(String host, int port, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    if (cause instanceof BindException && reason.contains("Permission denied")) {
      return new ImkerException(
          "Not permitted to listen on port %d: ports below 1024 are reserved for administrators. Choose another one with --port N."
              .formatted(port),
          cause);
    }
    if (cause instanceof BindException && reason.contains("Cannot assign requested address")) {
      return new ImkerException(
          "%s is not an address of this machine. Choose one of its addresses with --listen ADDRESS; 0.0.0.0 means all."
              .formatted(host),
          cause);
    }
    if (cause instanceof BindException) {
      return new PortInUseException(host, port, cause);
    }
    if (cause instanceof UnknownHostException) {
      return new ImkerException(
          "There is no host '%s' to listen on. Choose an address of this machine with --listen ADDRESS; 0.0.0.0 means all."
              .formatted(host),
          cause);
    }
    return new ImkerException("Cannot listen on %s:%d (%s).".formatted(host, port, reason), cause);
  }

  /** Shows another certificate to whoever connects from now on. */
  private void show(ServerCertificate renewed) {
    ServerSSLOptions options = new ServerSSLOptions().setKeyCertOptions(pem(renewed));
    for (HttpServer server : servers) {
      server.updateSSLOptions(options, true).toCompletionStage().toCompletableFuture().join();
    }
  }

  private static PemKeyCertOptions pem(ServerCertificate certificate) {
    return new PemKeyCertOptions()
        .setCertValue(Buffer.buffer(certificate.chain()))
        .setKeyValue(Buffer.buffer(certificate.key()));
  }
}
