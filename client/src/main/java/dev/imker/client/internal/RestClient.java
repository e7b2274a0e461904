package dev.imker.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.PinnedCertificate;
import dev.imker.model.ServerList;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/** Calls of the REST interface, in blocking style. */
public final class RestClient implements AutoCloseable {
  static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(90);

  private static final int MOST_HOPS = 3;

  private final PoolAddress pool;
  private final ServerList servers;
  private final HttpClient http;

  public RestClient(PoolAddress pool) {
    this.pool = pool;
    this.servers = new ServerList(pool.urls().stream().map(URI::toString).toList());
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_PATIENCE)
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    if (!pool.fingerprint().isEmpty()) {
      builder.sslContext(PinnedCertificate.context(pool.fingerprint()));
    }
    this.http = builder.build();
  }

  /** A server that cannot be reached now, or has too much to do: worth another try. */
  static final class AwayException extends IOException {
    private static final long serialVersionUID = 1L;

    AwayException(String message) {
      super(message);
    }

    AwayException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public JsonNode get(String path) throws AwayException, InterruptedException {
    return tree(send(request(path).timeout(ANSWER_PATIENCE).GET().build()));
  }

  public byte[] bytes(String path) throws AwayException, InterruptedException {
    return body(send(request(path).timeout(ANSWER_PATIENCE).GET().build()));
  }

  public JsonNode post(String path, byte[] json, Map<String, String> headers)
      throws AwayException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .timeout(ANSWER_PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json));
    headers.forEach(request::header);
    return tree(send(request.build()));
  }

  /** Stores what the server does not have yet. */
  void upload(Map<BlobId, byte[]> blobs) throws AwayException, InterruptedException {
    List<String> names = blobs.keySet().stream().map(BlobId::sha256).toList();
    JsonNode missing =
        post("/api/v1/blobs/missing", bytes(Map.of("blobs", names)), Map.of()).path("missing");
    for (JsonNode name : missing) {
      byte[] content = blobs.get(new BlobId(name.asText()));
      if (content != null) {
        HttpRequest request =
            request("/api/v1/blobs/" + name.asText())
                .header("Content-Type", "application/octet-stream")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(content))
                .build();
        body(send(request));
      }
    }
  }

  /** An answer without an end; the caller closes it. */
  InputStream open(String path) throws AwayException, InterruptedException {
    return send(request(path).GET().build()).body();
  }

  static byte[] bytes(Object view) {
    try {
      return JSON.writeValueAsBytes(view);
    } catch (IOException e) {
      throw new IllegalStateException("not JSON: " + view.getClass(), e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(servers.current() + path))
        .header("Authorization", "Bearer " + pool.token());
  }

  private HttpResponse<InputStream> send(HttpRequest request)
      throws AwayException, InterruptedException {
    HttpResponse<InputStream> response = sendToLeader(request);
    int status = response.statusCode();
    if (status == 307 || status == 503 || status == 429 || status == 502 || status == 504) {
      servers.leave(origin(response.uri()));
      throw new AwayException(message(response));
    }
    if (status >= 300) {
      throw new ImkerException(message(response));
    }
    return response;
  }

  /** Goes where a server says that the leader is; one that is away is left for the next. */
  private HttpResponse<InputStream> sendToLeader(HttpRequest request)
      throws AwayException, InterruptedException {
    for (int hop = 0; ; hop++) {
      String server = servers.current();
      try {
        HttpResponse<InputStream> response =
            http.send(at(server, request), BodyHandlers.ofInputStream());
        response
            .headers()
            .firstValue("Imker-Servers")
            .ifPresent(all -> servers.learn(Arrays.asList(all.split(","))));
        Optional<String> leader = response.headers().firstValue("Location");
        if (response.statusCode() != 307 || leader.isEmpty() || hop == MOST_HOPS) {
          return response;
        }
        response.body().close();
        servers.goTo(origin(URI.create(leader.get())));
      } catch (IOException e) {
        servers.leave(server);
        throw new AwayException("No Imker server answers at " + server + ".", e);
      }
    }
  }

  private static HttpRequest at(String server, HttpRequest request) {
    URI uri = request.uri();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .uri(URI.create(server + uri.getRawPath() + query))
        .build();
  }

  private static String origin(URI uri) {
    return uri.getScheme() + "://" + uri.getRawAuthority();
  }

  private String message(HttpResponse<InputStream> response) throws AwayException {
    if (response.statusCode() == 401) {
      return "The server at " + origin(response.uri()) + " does not accept the token.";
    }
    byte[] body = body(response);
    try {
      String message = JSON.readTree(body).path("error").path("message").asText();
      return message.isEmpty() ? "HTTP " + response.statusCode() : message;
    } catch (IOException e) {
      return "HTTP " + response.statusCode();
    }
  }

  private JsonNode tree(HttpResponse<InputStream> response) throws AwayException {
    byte[] body = body(response);
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new AwayException("The server's answer is not JSON.", e);
    }
  }

  private static byte[] body(HttpResponse<InputStream> response) throws AwayException {
    try (InputStream body = response.body()) {
      return body.readAllBytes();
    } catch (IOException e) {
      throw new AwayException("The server's answer was cut off.", e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
