package dev.imker.agent.internal.home;

import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.model.http.RequestMarks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server access of sandboxed tasks: a Unix socket that speaks plain HTTP and forwards permitted
 * requests (blackboard, coordination) to the server over the agent's own connection, so that a
 * closed network needs no exception.
 */
public final class HomeSocket implements AutoCloseable {
  /** Its path inside the sandbox. */
  public static final String INSIDE = "/run/imker.sock";

  private static final List<String> ROUTES = List.of("/api/v1/board", "/api/v1/coord/");
  private static final String TASK_TOKEN = "Bearer imker-t-";
  private static final int MAX_BODY_BYTES = 65 << 20;
  private static final long CONNECTION_PATIENCE_MILLIS = 60_000;
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(90);
  private static final int MAX_CONNECTIONS = 512;
  private static final int IDLE_SECONDS = 180;
  private static final int COPY_BYTES = 64 << 10;

  /** Tasks share the memory of the agent: bodies above this size wait for one of a few places. */
  private static final int SMALL_BODY_BYTES = 64 << 10;

  private static final int MAX_LARGE_BODIES = 4;
  private static final long LARGE_BODY_PATIENCE_SECONDS = 60;
  private static final List<String> PASSED_ON = List.of("Content-Type", RequestMarks.HEADER);
  private static final Set<String> HOP =
      Set.of("content-length", "transfer-encoding", "connection", ":status");

  private static final Pattern ENCODED_DOT = Pattern.compile("%2e", Pattern.CASE_INSENSITIVE);

  private final BlobClient blobs;
  private final Path socket;
  private final HttpServer http;
  private final Vertx vertx;
  private final Semaphore largeBodies = new Semaphore(MAX_LARGE_BODIES, true);
  private final AtomicInteger connections = new AtomicInteger();

  private HomeSocket(BlobClient blobs, Path socket, Vertx vertx) {
    this.blobs = blobs;
    this.socket = socket;
    this.vertx = vertx;
    // Plain HTTP/1 only: many streams in one connection would not count as connections.
    this.http =
        vertx
            .createHttpServer(
                new HttpServerOptions()
                    .setHttp2ClearTextEnabled(false)
                    .setIdleTimeout(IDLE_SECONDS))
            .connectionHandler(this::connected)
            .requestHandler(this::take);
  }

  private void connected(HttpConnection connection) {
    connection.closeHandler(_ -> connections.decrementAndGet());
    if (connections.incrementAndGet() > MAX_CONNECTIONS) {
      var _ = connection.close();
    }
  }

  public static HomeSocket open(BlobClient blobs, Path folder, Vertx vertx) throws IOException {
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

  public Path path() {
    return socket;
  }

  private void take(HttpServerRequest request) {
    String token = request.getHeader("Authorization");
    if (token == null || !token.startsWith(TASK_TOKEN)) {
      refuse(request, 401, "Tasks can connect here only with their IMKER_TASK_TOKEN.");
      return;
    }
    String path = request.path() == null ? "" : request.path();
    if (!isLocal(request.uri()) || climbs(path) || ROUTES.stream().noneMatch(path::startsWith)) {
      refuse(request, 404, "Tasks can only use the blackboard and coordination.");
      return;
    }
    String length = request.getHeader("Content-Length");
    if (length != null && length.length() > 9) {
      refuse(request, 413, "The request is too large.");
      return;
    }
    new Incoming(request, token).read();
  }

  /** Whether a request target is a path and nothing that names a host ("http://…", "//…"). */
  private static boolean isLocal(@Nullable String uri) {
    return uri != null && uri.startsWith("/") && !uri.startsWith("//");
  }

  /**
   * Whether a proxy in front of the server might interpret the path as belonging to another site.
   */
  private static boolean climbs(String path) {
    return ENCODED_DOT.matcher(path).replaceAll(".").contains("..");
  }

  private static void refuse(HttpServerRequest request, int status, String why) {
    var _ = request.response().setStatusCode(status).end(why + "\n");
  }

  /** A request whose body is still coming. */
  private final class Incoming {
    private final HttpServerRequest request;
    private final String token;
    private final Context context = vertx.getOrCreateContext();
    private final Buffer body = Buffer.buffer();
    private boolean asked;
    private boolean complete;
    private boolean held;
    private boolean over;

    Incoming(HttpServerRequest request, String token) {
      this.request = request;
      this.token = token;
    }

    void read() {
      request.exceptionHandler(_ -> brokenOff());
      request.handler(this::take);
      request.endHandler(_ -> end());
    }

    private void take(Buffer part) {
      if (request.response().ended()) {
        return;
      }
      if (body.length() + part.length() > MAX_BODY_BYTES) {
        giveUp(413, "The request is too large.");
        return;
      }
      body.appendBuffer(part);
      if (body.length() > SMALL_BODY_BYTES && !asked) {
        asked = true;
        request.pause();
        Thread.ofVirtual().name("imker-home").start(this::awaitPlace);
      }
    }

    private void awaitPlace() {
      boolean got = false;
      try {
        got = largeBodies.tryAcquire(LARGE_BODY_PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (got) {
        keepPlace();
        context.runOnContext(_ -> request.resume());
      } else {
        context.runOnContext(
            _ -> giveUp(503, "Too many large requests from tasks on this machine; try again."));
      }
    }

    private void giveUp(int status, String why) {
      refuse(request, status, why);
      brokenOff();
      var _ = request.connection().close();
    }

    private void end() {
      if (request.response().ended()) {
        return;
      }
      synchronized (this) {
        complete = true;
      }
      Thread.ofVirtual()
          .name("imker-home")
          .start(
              () -> {
                try {
                  forward(request, token, body.getBytes());
                } finally {
                  leavePlace();
                }
              });
    }

    private synchronized void keepPlace() {
      if (over) {
        largeBodies.release();
      } else {
        held = true;
      }
    }

    /** A complete request is forwarded nevertheless, and keeps its place until then. */
    private synchronized void brokenOff() {
      if (!complete) {
        leavePlace();
      }
    }

    private synchronized void leavePlace() {
      over = true;
      if (held) {
        held = false;
        largeBodies.release();
      }
    }
  }

  private void forward(HttpServerRequest request, String token, byte[] body) {
    try {
      HttpResponse<InputStream> answer =
          blobs.send(
              request.uri(),
              CONNECTION_PATIENCE_MILLIS,
              ANSWER_PATIENCE,
              forwarded -> {
                forwarded
                    .header("Authorization", token)
                    .method(request.method().name(), HttpRequest.BodyPublishers.ofByteArray(body));
                PASSED_ON.forEach(
                    name -> {
                      String value = request.getHeader(name);
                      if (value != null) {
                        forwarded.header(name, value);
                      }
                    });
                return forwarded;
              });
      try (InputStream content = answer.body()) {
        pass(answer, content, request.response());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (request.response().headWritten()) {
        var _ =
            request
                .connection()
                .close(); // so that a partial answer is not mistaken for a complete one
      } else {
        // It is unknown whether it was executed: 502 says so, as with any proxy.
        refuse(request, 502, "The server could not be reached: " + e.getMessage());
      }
    }
  }

  /** In parts, so that the length of an answer does not matter. */
  private static void pass(HttpResponse<?> answer, InputStream content, HttpServerResponse response)
      throws IOException, InterruptedException {
    response.setStatusCode(answer.statusCode());
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!HOP.contains(name.toLowerCase(Locale.ROOT))) {
                response.putHeader(name, values);
              }
            });
    byte[] part = content.readNBytes(COPY_BYTES);
    if (part.length < COPY_BYTES) {
      written(response.end(Buffer.buffer(part)));
      return;
    }
    OptionalLong length = answer.headers().firstValueAsLong("content-length");
    if (length.isPresent()) {
      response.putHeader("Content-Length", Long.toString(length.getAsLong()));
    } else {
      response.setChunked(true);
    }
    for (; part.length > 0; part = content.readNBytes(COPY_BYTES)) {
      written(response.write(Buffer.buffer(part)));
    }
    written(response.end());
  }

  private static void written(Future<Void> write) throws IOException, InterruptedException {
    try {
      write.toCompletionStage().toCompletableFuture().get(IDLE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the task does not read its answer", e);
    }
  }

  @Override
  public void close() throws IOException {
    var _ = http.close();
    Files.deleteIfExists(socket);
  }
}
