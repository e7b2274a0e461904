package dev.imker.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.PinnedCertificate;
import dev.imker.model.connection.ServerList;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Calls of the REST interface of one server, in blocking style. */
public final class ApiClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final String SERVERS = "Imker-Servers";
  private static final Duration FAIL_OVER_PATIENCE = Duration.ofSeconds(30);

  /** Longer than the longest that may be asked to wait for something, which is 60 seconds. */
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(75);

  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int MOST_HOPS = 3;

  private final PoolContext pool;
  private final ServerList servers;
  private final HttpClient http;
  private final WatchedSend watched;

  public ApiClient(PoolContext pool) {
    this(pool, WatchedSend::new);
  }

  ApiClient(PoolContext pool, Function<HttpClient, WatchedSend> watching) {
    this.pool = pool;
    this.servers = new ServerList(pool.urls().stream().map(URI::toString).toList());
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT);
    if (!pool.fingerprint().isEmpty()) {
      builder.sslContext(PinnedCertificate.context(pool.fingerprint()));
    }
    this.http = builder.build();
    this.watched = watching.apply(http);
  }

  public static JsonMapper json() {
    return JSON;
  }

  /** The server that is talked to at present. */
  public URI url() {
    return URI.create(servers.current());
  }

  public JsonNode get(String path) {
    return tree(send(request(path).GET().build(), BodyHandlers.ofInputStream()));
  }

  public JsonNode post(String path, Object body) {
    return post(path, body, Map.of());
  }

  public JsonNode post(String path, Object body, Map<String, String> headers) {
    HttpRequest.Builder request =
        request(path).header("Content-Type", "application/json").POST(jsonBody(body));
    headers.forEach(request::header);
    return tree(send(request.build(), BodyHandlers.ofInputStream()));
  }

  public JsonNode put(String path, Object body) {
    HttpRequest.Builder request =
        request(path).header("Content-Type", "application/json").PUT(jsonBody(body));
    return tree(send(request.build(), BodyHandlers.ofInputStream()));
  }

  public JsonNode patch(String path, Object body) {
    HttpRequest.Builder request =
        request(path).header("Content-Type", "application/json").method("PATCH", jsonBody(body));
    return tree(send(request.build(), BodyHandlers.ofInputStream()));
  }

  public void delete(String path) {
    tree(send(request(path).DELETE().build(), BodyHandlers.ofInputStream()));
  }

  /** Sends a file as it is, streaming. */
  public JsonNode postFile(String path, String type, Path file) {
    try {
      HttpRequest.Builder request =
          request(path).header("Content-Type", type).POST(BodyPublishers.ofFile(file));
      return tree(send(request.build(), BodyHandlers.ofInputStream()));
    } catch (FileNotFoundException e) {
      throw new ImkerException("There is no file " + file + ".", e);
    }
  }

  /** The body of an answer as a stream; the caller closes it. */
  public InputStream open(String path) {
    HttpResponse<InputStream> response =
        send(request(path).GET().build(), BodyHandlers.ofInputStream());
    String server = origin(response.uri().toString());
    return servers.hasSeveral()
        ? watched.watch(server, response.body(), () -> servers.leave(server))
        : response.body();
  }

  /**
   * An answer that goes on while its server leads; the caller closes it. Of several servers, one
   * that does not lead any more is left, and the stream fails.
   */
  public InputStream openLive(String path) {
    HttpResponse<InputStream> response =
        send(request(path).GET().build(), BodyHandlers.ofInputStream());
    String server = origin(response.uri().toString());
    return servers.hasSeveral()
        ? watched.watchLeader(server, pool.token(), response.body(), () -> servers.leave(server))
        : response.body();
  }

  /** Goes on with another server, if there is one. */
  void leaveServer() {
    servers.leave(servers.current());
  }

  /** Stores a file's content under its hash, streaming. */
  public void putBlob(BlobId blob, Path file) {
    try {
      send(
          request("/api/v1/blobs/" + blob)
              .header("Content-Type", "application/octet-stream")
              .PUT(BodyPublishers.ofFile(file))
              .build(),
          BodyHandlers.ofInputStream());
    } catch (FileNotFoundException e) {
      throw new ImkerException(file + " has vanished while it was being sent.", e);
    }
  }

  /** Writes the body of an answer to a file that must not exist yet. */
  public void download(String path, Path target) {
    try (InputStream body = open(path)) {
      Files.copy(body, target);
    } catch (IOException e) {
      throw new ImkerException("Cannot write " + target + ": " + e.getMessage(), e);
    }
  }

  /** Text made safe as one part of a path or query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(servers.current() + path));
    return pool.token().isEmpty()
        ? request
        : request.header("Authorization", "Bearer " + pool.token());
  }

  private static BodyPublisher jsonBody(Object body) {
    try {
      return BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends to the server that leads, and if there are several, waits for the next that does. */
  private HttpResponse<InputStream> send(
      HttpRequest request, BodyHandler<InputStream> bodyHandler) {
    long deadline = System.nanoTime() + FAIL_OVER_PATIENCE.toNanos();
    int hops = 0;
    while (true) {
      String server = servers.current();
      boolean mayWait = servers.hasSeveral() && System.nanoTime() < deadline;
      try {
        HttpResponse<InputStream> response = sendTo(server, request, bodyHandler);
        response.headers().firstValue(SERVERS).ifPresent(this::learn);
        Optional<String> leader = response.headers().firstValue("Location");
        if (response.statusCode() == 307 && leader.isPresent() && hops++ < MOST_HOPS) {
          response.body().close();
          servers.goTo(origin(leader.get()));
          continue;
        }
        boolean away = response.statusCode() == 307 || response.statusCode() == 503;
        if (away && mayWait && (response.statusCode() == 307 || isRepeatable(request))) {
          response.body().close();
        } else if (response.statusCode() >= 300) {
          throw error(response);
        } else {
          return response;
        }
      } catch (SSLException e) {
        throw new NoServerException(ConnectionTrouble.ofTls(server, e), e);
      } catch (IOException e) {
        if (!mayWait || !(e instanceof ConnectException || isRepeatable(request))) {
          throw nobody(server, e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ImkerException("interrupted", e);
      }
      hops = 0;
      servers.leave(server);
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private HttpResponse<InputStream> sendTo(
      String server, HttpRequest request, BodyHandler<InputStream> bodyHandler)
      throws IOException, InterruptedException {
    boolean several = servers.hasSeveral();
    HttpRequest there = at(server, request, several);
    return several ? watched.send(server, there, bodyHandler) : http.send(there, bodyHandler);
  }

  private static NoServerException nobody(String server, IOException e) {
    if (e instanceof StandsStillException) {
      return new NoServerException(
          "The server at "
              + server
              + " does not answer any more. Whether it has carried this out is not known: look, and"
              + " try again if it has not.",
          e);
    }
    return new NoServerException(ConnectionTrouble.of(server, e), e);
  }

  /** Whether sending it a second time does no harm if the first time was heard after all. */
  private static boolean isRepeatable(HttpRequest request) {
    return !request.method().equals("POST")
        || request.headers().firstValue("Idempotency-Key").isPresent();
  }

  /**
   * The request to a server. Of several, one that hangs is not waited for without end where asking
   * another does no harm; what is sent may be large and take its time.
   */
  private static HttpRequest at(String server, HttpRequest request, boolean several) {
    URI uri = request.uri();
    String rest =
        uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    HttpRequest.Builder there =
        HttpRequest.newBuilder(request, (name, value) -> true).uri(URI.create(server + rest));
    if (several && request.method().equals("GET")) {
      there.timeout(ANSWER_PATIENCE);
    }
    return there.build();
  }

  private static String origin(String location) {
    URI uri = URI.create(location);
    return uri.getScheme() + "://" + uri.getRawAuthority();
  }

  private void learn(String addresses) {
    servers.learn(Arrays.asList(addresses.split(",")));
  }

  private ImkerException error(HttpResponse<InputStream> response) {
    JsonNode error = null;
    try (InputStream body = response.body()) {
      error = JSON.readTree(body).path("error");
    } catch (IOException e) {
      return stranger(response.statusCode(), e);
    }
    if (error.isMissingNode()) {
      return stranger(response.statusCode(), null);
    }
    String message = text(error, "message");
    if (response.statusCode() == 401 && !pool.token().isEmpty()) {
      message =
          "The server at "
              + servers.current()
              + " does not accept this token. Log in with 'imker login', or use the one that"
              + " 'imker up' printed (--token or IMKER_TOKEN).";
    }
    return new ApiException(
        response.statusCode(),
        error.path("code").asText("http"),
        message == null ? "HTTP " + response.statusCode() : message,
        error.path("field").asText(""));
  }

  private NoServerException stranger(int status, @Nullable Throwable cause) {
    String message =
        "What answers at %s is not an Imker server (HTTP status %d). Check the address and the port."
            .formatted(servers.current(), status);
    return cause == null ? new NoServerException(message) : new NoServerException(message, cause);
  }

  private static @Nullable String text(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.get(field).asText() : null;
  }

  private JsonNode tree(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      JsonNode node = JSON.readTree(body);
      return node == null ? JSON.createObjectNode() : node;
    } catch (JsonProcessingException e) {
      throw stranger(response.statusCode(), e);
    } catch (IOException e) {
      throw new ImkerException("The server's answer was cut off: " + e.getMessage(), e);
    }
  }
}
