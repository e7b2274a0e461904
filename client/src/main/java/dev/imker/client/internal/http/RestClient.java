package dev.imker.client.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.PinnedCertificate;
import dev.imker.model.connection.ServerList;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Calls of the REST interface, in blocking style. */
public final class RestClient implements AutoCloseable {
  public static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(90);

  /** A stream brings a sign of life every ten seconds. */
  private static final Duration STREAM_PATIENCE = Duration.ofSeconds(35);

  private static final int MOST_HOPS = 3;

  private final ServerList servers;
  private final HttpConnections http;
  private final Map<String, String> common;

  public RestClient(PoolAddress pool) {
    this.servers = new ServerList(pool.urls().stream().map(URI::toString).toList());
    this.common = Map.of("Authorization", "Bearer " + pool.token());
    this.http =
        pool.fingerprint().isEmpty()
            ? new HttpConnections((SSLSocketFactory) SSLSocketFactory.getDefault(), true)
            : new HttpConnections(
                PinnedCertificate.context(pool.fingerprint()).getSocketFactory(), false);
  }

  /** A server that cannot be reached now, or has too much to do: worth another try. */
  public static final class AwayException extends IOException {
    private static final long serialVersionUID = 1L;

    AwayException(String message) {
      super(message);
    }

    AwayException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public JsonNode get(String path) throws AwayException, InterruptedException {
    return tree(send("GET", path, common, null));
  }

  public byte[] bytes(String path) throws AwayException, InterruptedException {
    return send("GET", path, common, null);
  }

  public JsonNode post(String path, byte[] json, Map<String, String> headers)
      throws AwayException, InterruptedException {
    Map<String, String> all = new HashMap<>(common);
    all.put("Content-Type", "application/json");
    all.putAll(headers);
    return tree(send("POST", path, all, json));
  }

  /** Stores what the server does not have yet. */
  public void upload(Map<BlobId, byte[]> blobs) throws AwayException, InterruptedException {
    List<String> names = blobs.keySet().stream().map(BlobId::sha256).toList();
    JsonNode missing =
        post("/api/v1/blobs/missing", bytes(Map.of("blobs", names)), Map.of()).path("missing");
    Map<String, String> headers = new HashMap<>(common);
    headers.put("Content-Type", "application/octet-stream");
    for (JsonNode name : missing) {
      byte[] content = blobs.get(new BlobId(name.asText()));
      if (content != null) {
        send("PUT", "/api/v1/blobs/" + name.asText(), headers, content);
      }
    }
  }

  /** An answer without an end; the caller closes it. One that falls silent is at its end. */
  public InputStream open(String path) throws AwayException, InterruptedException {
    for (int hop = 0; ; hop++) {
      String server = servers.current();
      try {
        HttpConnection.Answer answer = http.open(URI.create(server), path, common, STREAM_PATIENCE);
        if (answer.status() == 200) {
          return answer.body();
        }
        byte[] body;
        try (InputStream rest = answer.body()) {
          body = rest.readAllBytes();
        }
        if (answer.status() >= 500) {
          throw new AwayException(message(server, answer.status(), body));
        }
        if (!goesToLeader(answer.status(), answer.header("Location"), hop)) {
          throw refusal(server, answer.status(), body);
        }
      } catch (AwayException e) {
        servers.leave(server);
        throw e;
      } catch (IOException e) {
        throw left(server, e);
      }
    }
  }

  /**
   * Watches over the servers for as long as it runs.
   *
   * @param streams whether something is expected of streams at present
   */
  public ServerWatch watch(BooleanSupplier streams) {
    return new ServerWatch(http, servers, common, streams);
  }

  public static byte[] bytes(Object view) {
    try {
      return JSON.writeValueAsBytes(view);
    } catch (IOException e) {
      throw new IllegalStateException("not JSON: " + view.getClass(), e);
    }
  }

  private byte[] send(
      String method, String path, Map<String, String> headers, byte @Nullable [] body)
      throws AwayException, InterruptedException {
    for (int hop = 0; ; hop++) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      String server = servers.current();
      HttpConnections.Whole answer;
      try {
        answer = http.ask(URI.create(server), method, path, headers, body, ANSWER_PATIENCE);
      } catch (IOException e) {
        throw left(server, e);
      }
      if (answer.status() < 300) {
        String all = answer.header("Imker-Servers");
        if (!all.isEmpty()) {
          servers.learn(Arrays.asList(all.split(",")));
        }
        return answer.body();
      }
      if (!goesToLeader(answer.status(), answer.header("Location"), hop)) {
        throw refusal(server, answer.status(), answer.body());
      }
    }
  }

  /** Goes where a server says that the leader is. */
  private boolean goesToLeader(int status, String leader, int hop) {
    if (status != 307 || leader.isEmpty() || hop == MOST_HOPS) {
      return false;
    }
    URI uri = URI.create(leader);
    servers.goTo(uri.getScheme() + "://" + uri.getRawAuthority());
    return true;
  }

  /** One that is away is left for the next. */
  private AwayException left(String server, IOException cause) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    servers.leave(server);
    return new AwayException("No Imker server answers at " + server + ".", cause);
  }

  private ImkerException refusal(String server, int status, byte[] body) throws AwayException {
    String message = message(server, status, body);
    if (status == 307 || status == 429 || (status >= 502 && status <= 504)) {
      servers.leave(server);
      throw new AwayException(message);
    }
    return status == 409 && error(body).path("code").asText().equals("missing_blobs")
        ? new MissingBlobsException(message)
        : new ImkerException(message);
  }

  private static String message(String server, int status, byte[] body) {
    if (status == 401) {
      return "The server at " + server + " does not accept the token.";
    }
    String message = error(body).path("message").asText();
    return message.isEmpty() ? "HTTP " + status : message;
  }

  private static JsonNode error(byte[] body) {
    try {
      return JSON.readTree(body).path("error");
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }

  private static JsonNode tree(byte[] body) throws AwayException {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new AwayException("The server's answer is not JSON.", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
