package dev.imker.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.PinnedCertificate;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Calls of the REST interface of one server, in blocking style. */
public final class ApiClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final PoolContext pool;
  private final HttpClient http;

  public ApiClient(PoolContext pool) {
    this.pool = pool;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT);
    if (!pool.fingerprint().isEmpty()) {
      builder.sslContext(PinnedCertificate.context(pool.fingerprint()));
    }
    this.http = builder.build();
  }

  public static JsonMapper json() {
    return JSON;
  }

  public URI url() {
    return pool.url();
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
    return send(request(path).GET().build(), BodyHandlers.ofInputStream()).body();
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
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(pool.url() + path));
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

  private HttpResponse<InputStream> send(
      HttpRequest request, BodyHandler<InputStream> bodyHandler) {
    HttpResponse<InputStream> response;
    try {
      response = http.send(request, bodyHandler);
    } catch (SSLException e) {
      throw new NoServerException(
          "No trusted connection to " + pool.url() + ": " + rootMessage(e) + ".", e);
    } catch (IOException e) {
      throw new NoServerException(
          "No Imker server answers at "
              + pool.url()
              + ". Start it with 'imker up', or name"
              + " another with --server URL --token TOKEN.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted", e);
    }
    if (response.statusCode() >= 300) {
      throw error(response);
    }
    return response;
  }

  private ImkerException error(HttpResponse<InputStream> response) {
    JsonNode error = null;
    try (InputStream body = response.body()) {
      error = JSON.readTree(body).path("error");
    } catch (IOException e) {
      // Not JSON: the status alone has to do.
      return new ApiException(response.statusCode(), "http", "HTTP " + response.statusCode());
    }
    String message = text(error, "message");
    if (response.statusCode() == 401 && !pool.token().isEmpty()) {
      message =
          "The server at "
              + pool.url()
              + " does not accept this token. Log in with 'imker login', or use the one that"
              + " 'imker up' printed (--token or IMKER_TOKEN).";
    }
    return new ApiException(
        response.statusCode(),
        error.path("code").asText("http"),
        message == null ? "HTTP " + response.statusCode() : message);
  }

  private static @Nullable String text(JsonNode node, String field) {
    return node.hasNonNull(field) ? node.get(field).asText() : null;
  }

  private static JsonNode tree(HttpResponse<InputStream> response) {
    try (InputStream body = response.body()) {
      JsonNode node = JSON.readTree(body);
      return node == null ? JSON.createObjectNode() : node;
    } catch (IOException e) {
      throw new ImkerException("The server's answer was cut off: " + e.getMessage(), e);
    }
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }
}
