package dev.imker.agent.internal.run;

import dev.imker.agent.internal.cache.BlobClient;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The way home of tasks in a sandbox: a Unix socket that speaks plain HTTP and hands what tasks may
 * ask (blackboard, coordination) on to the server, with the agent's own connection, its certificate
 * and its knowledge of who leads. A closed network so needs no hole.
 */
final class HomeSocket implements AutoCloseable {
  /** Where tasks see it. */
  static final String INSIDE = "/run/imker.sock";

  private static final List<String> ROUTES = List.of("/api/v1/board", "/api/v1/coord/");
  private static final String TASK_TOKEN = "Bearer imker-t-";
  private static final int MAX_BODY_BYTES = 65 << 20;
  private static final long CONNECTION_PATIENCE_MILLIS = 60_000;
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(90);
  private static final Set<String> HOP =
      Set.of("content-length", "transfer-encoding", "connection", ":status");

  private final BlobClient blobs;
  private final Path socket;
  private final HttpServer http;

  private HomeSocket(BlobClient blobs, Path socket, Vertx vertx) {
    this.blobs = blobs;
    this.socket = socket;
    this.http = vertx.createHttpServer().requestHandler(this::take);
  }

  static HomeSocket open(BlobClient blobs, Path folder, Vertx vertx) throws IOException {
    Path socket = folder.toAbsolutePath().resolve("home.sock");
    Files.deleteIfExists(socket);
    HomeSocket home = new HomeSocket(blobs, socket, vertx);
    // By a short name, because the system limits the length of what a socket is bound to.
    Path place = Files.createTempDirectory("imker");
    Path link = Files.createSymbolicLink(place.resolve("h"), folder.toAbsolutePath());
    try {
      SocketAddress address = SocketAddress.domainSocketAddress(link + "/home.sock");
      home.http.listen(address).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
      // The folder is the agent's alone; who sees the file has it mounted.
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no socket for tasks: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.deleteIfExists(link);
      Files.deleteIfExists(place);
    }
    return home;
  }

  Path path() {
    return socket;
  }

  private void take(HttpServerRequest request) {
    String token = request.getHeader("Authorization");
    if (token == null || !token.startsWith(TASK_TOKEN)) {
      refuse(request, 401, "Tasks come here with their IMKER_TASK_TOKEN only.");
      return;
    }
    String path = request.path() == null ? "" : request.path();
    if (path.contains("..") || ROUTES.stream().noneMatch(path::startsWith)) {
      refuse(request, 404, "Tasks reach the blackboard and the coordination only.");
      return;
    }
    String length = request.getHeader("Content-Length");
    if (length != null && length.length() > 9) {
      refuse(request, 413, "That is too much for one request.");
      return;
    }
    Buffer body = Buffer.buffer();
    request.handler(
        part -> {
          if (body.length() + part.length() <= MAX_BODY_BYTES) {
            body.appendBuffer(part);
          } else if (!request.response().ended()) {
            refuse(request, 413, "That is too much for one request.");
            var _ = request.connection().close();
          }
        });
    request.endHandler(
        _ ->
            Thread.ofVirtual()
                .name("imker-home")
                .start(() -> forward(request, token, body.getBytes())));
  }

  private static void refuse(HttpServerRequest request, int status, String why) {
    var _ = request.response().setStatusCode(status).end(why + "\n");
  }

  private void forward(HttpServerRequest request, String token, byte[] body) {
    try {
      String type = request.getHeader("Content-Type");
      HttpResponse<byte[]> answer =
          blobs.send(
              request.uri(),
              CONNECTION_PATIENCE_MILLIS,
              ANSWER_PATIENCE,
              forwarded -> {
                forwarded
                    .header("Authorization", token)
                    .method(request.method().name(), HttpRequest.BodyPublishers.ofByteArray(body));
                return type == null ? forwarded : forwarded.header("Content-Type", type);
              });
      request.response().setStatusCode(answer.statusCode());
      answer
          .headers()
          .map()
          .forEach(
              (name, values) -> {
                if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
                  request.response().putHeader(name, values);
                }
              });
      var _ = request.response().end(Buffer.buffer(answer.body()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      // Nobody knows whether it was done: 502 says so, as that of any proxy.
      refuse(request, 502, "The server could not be asked: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    var _ = http.close();
    Files.deleteIfExists(socket);
  }
}
