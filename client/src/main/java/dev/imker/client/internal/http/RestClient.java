package dev.imker.client.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.client.context.PoolContext;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.HttpProxies;
import dev.imker.model.http.Answer;
import dev.imker.model.http.Call;
import dev.imker.model.http.EventStream;
import dev.imker.model.http.NoAnswerException;
import dev.imker.model.http.PoolHttp;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Blocking calls of the REST interface that survive restarts and fail-overs. */
public final class RestClient implements AutoCloseable {
  public static final JsonMapper JSON = JsonMapper.builder().build();

  /** Unlimited: a program that prefers to give up uses time-outs of its futures. */
  private static final Duration PATIENCE = Duration.ofDays(10_000);

  private final PoolHttp http;
  private final Duration patience;

  public RestClient(PoolContext pool) {
    this(new PoolHttp(pool.urls(), pool.token(), pool.fingerprint(), proxies()), PATIENCE);
  }

  private RestClient(PoolHttp http, Duration patience) {
    this.http = http;
    this.patience = patience;
  }

  private static @Nullable ProxySelector proxies() {
    try {
      return HttpProxies.of(System.getenv()).orElse(null);
    } catch (ImkerException e) {
      return null; // what other programs use it for is not our business
    }
  }

  /** The same connection with a different patience. */
  public RestClient within(Duration other) {
    return new RestClient(http, other);
  }

  /** No server answered in time. */
  public static final class AwayException extends ImkerException {
    private static final long serialVersionUID = 1L;

    AwayException(String message) {
      super(message);
    }

    AwayException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public JsonNode get(String path) throws InterruptedException {
    return tree(bytes(path));
  }

  public byte[] bytes(String path) throws InterruptedException {
    return send(Call.get(path));
  }

  public JsonNode post(String path, byte[] json, Map<String, String> headers)
      throws InterruptedException {
    return tree(send(post(path, json).with(headers)));
  }

  /** The same for a repeatable request. */
  public JsonNode ask(String path, byte[] json) throws InterruptedException {
    return tree(send(post(path, json).repeatably()));
  }

  /** The resource; empty if the server has none. */
  public Optional<byte[]> find(String path) throws InterruptedException {
    Answer answer = answer(Call.get(path));
    return answer.status() == 404 ? Optional.empty() : Optional.of(good(answer));
  }

  public void put(String path, byte[] content) throws InterruptedException {
    send(Call.put(path, "application/octet-stream", BodyPublishers.ofByteArray(content)));
  }

  private static Call post(String path, byte[] json) {
    return Call.post(path, "application/json", BodyPublishers.ofByteArray(json));
  }

  /** Stores what the server does not have yet. */
  public void upload(Map<BlobId, byte[]> blobs) throws InterruptedException {
    List<String> names = blobs.keySet().stream().map(BlobId::sha256).toList();
    byte[] question = bytes(Map.of("blobs", names));
    JsonNode missing =
        tree(send(post("/api/v1/blobs/missing", question).repeatably())).path("missing");
    for (JsonNode name : missing) {
      byte[] content = blobs.get(new BlobId(name.asText()));
      if (content != null) {
        send(
            Call.put(
                "/api/v1/blobs/" + name.asText(),
                "application/octet-stream",
                BodyPublishers.ofByteArray(content)));
      }
    }
  }

  /**
   * An event stream.
   *
   * @param awaited whether data is currently expected
   */
  public EventStream events(String path, BooleanSupplier awaited) {
    return new EventStream(
        () -> open(path, awaited), () -> http.servers().leave(http.servers().current()));
  }

  /**
   * The content of a file from an offset, as a stream.
   *
   * @throws ImkerException if it does not exist
   */
  InputStream stream(String path, long offset) throws InterruptedException {
    Call call = Call.get(path);
    try {
      HttpResponse<InputStream> answer =
          http.open(offset == 0 ? call : call.with("Range", "bytes=" + offset + "-"), patience);
      if (answer.statusCode() == 416) { // it was read to its end
        answer.body().close();
        return InputStream.nullInputStream();
      }
      if (answer.statusCode() == (offset == 0 ? 200 : 206)) {
        return answer.body();
      }
      try (InputStream body = answer.body()) {
        throw refusal(answer.statusCode(), body.readAllBytes());
      }
    } catch (NoAnswerException e) {
      throw new AwayException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new AwayException("The server did not answer: " + e.getMessage(), e);
    }
  }

  private InputStream open(String path, BooleanSupplier awaited)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = http.open(Call.events(path, awaited), Duration.ZERO);
    if (answer.statusCode() == 200) {
      return answer.body();
    }
    try (InputStream body = answer.body()) {
      ImkerException refusal = refusal(answer.statusCode(), body.readAllBytes());
      if (answer.statusCode() >= 500 || refusal instanceof AwayException) {
        throw new IOException(refusal.getMessage(), refusal);
      }
      throw refusal;
    }
  }

  public static byte[] bytes(Object view) {
    try {
      return JSON.writeValueAsBytes(view);
    } catch (IOException e) {
      throw new IllegalStateException("not JSON: " + view.getClass(), e);
    }
  }

  private byte[] send(Call call) throws InterruptedException {
    return good(answer(call));
  }

  private byte[] good(Answer answer) {
    if (!answer.isGood()) {
      throw refusal(answer.status(), answer.body());
    }
    return answer.body();
  }

  private Answer answer(Call call) throws InterruptedException {
    try {
      return http.send(call, patience);
    } catch (NoAnswerException e) {
      throw new AwayException(String.valueOf(e.getMessage()), e);
    }
  }

  private ImkerException refusal(int status, byte[] body) {
    JsonNode error = error(body);
    String message =
        status == 401
            ? "The server at " + http.servers().current() + " rejected the token."
            : error.path("message").asText("HTTP " + status);
    if (status == 307 || status == 429 || (status >= 502 && status <= 504)) {
      return new AwayException(message);
    }
    return switch (status == 409 ? error.path("code").asText() : "") {
      case "missing_blobs" -> new MissingBlobsException(message);
      case "changed" -> new ChangedException(message);
      case "key_reused" -> new KeyTakenException(message);
      default -> new ImkerException(message);
    };
  }

  private static JsonNode error(byte[] body) {
    try {
      return JSON.readTree(body).path("error");
    } catch (IOException e) {
      return JSON.missingNode();
    }
  }

  private JsonNode tree(byte[] body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new ImkerException(
          "What answers at " + http.servers().current() + " is not an Imker server.", e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
