package dev.imker.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.client.context.FileTrouble;
import dev.imker.client.context.NoServerException;
import dev.imker.client.context.PoolContext;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.http.Answer;
import dev.imker.model.http.Call;
import dev.imker.model.http.NoAnswerException;
import dev.imker.model.http.PoolHttp;
import dev.imker.model.text.SafeText;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls of the REST interface, in blocking style. */
public final class ApiClient implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration FAIL_OVER_PATIENCE = Duration.ofSeconds(30);
  private static final int BUFFER_BYTES = 1 << 14;
  private static final String JSON_TYPE = "application/json";

  private final PoolContext pool;
  private final PoolHttp http;
  private final Outages outages;

  public ApiClient(PoolContext pool) {
    this(pool, new PoolHttp(pool.urls(), pool.token(), pool.fingerprint(), null), Outages.fatal());
  }

  private ApiClient(PoolContext pool, PoolHttp http, Outages outages) {
    this.pool = pool;
    this.http = http;
    this.outages = outages;
  }

  /**
   * The same connection for a command that waits. Once a server has answered, whatever it said, the
   * pool and its database may be away for however long: what can be asked twice is asked again.
   *
   * @param err where it is said, once in each outage
   */
  public ApiClient patient(PrintWriter err) {
    return new ApiClient(pool, http, Outages.waitedFor(err));
  }

  /** The same caller at one server; the caller closes it. */
  public ApiClient at(String url) {
    return new ApiClient(new PoolContext(URI.create(url), pool.token(), pool.fingerprint()));
  }

  public static JsonMapper json() {
    return JSON;
  }

  /** The server that is talked to at present. */
  public URI url() {
    return URI.create(http.servers().current());
  }

  public JsonNode get(String path) {
    return send(Call.get(path));
  }

  public JsonNode post(String path, Object body) {
    return post(path, body, Map.of());
  }

  public JsonNode post(String path, Object body, Map<String, String> headers) {
    return send(Call.post(path, JSON_TYPE, jsonBody(body)).with(headers));
  }

  /** Posts what may be done twice as well as once. */
  public JsonNode postRepeatably(String path, Object body) {
    return send(Call.post(path, JSON_TYPE, jsonBody(body)).repeatably());
  }

  public JsonNode put(String path, Object body) {
    return send(Call.put(path, JSON_TYPE, jsonBody(body)));
  }

  public JsonNode patch(String path, Object body) {
    return send(Call.patch(path, JSON_TYPE, jsonBody(body)));
  }

  public void delete(String path) {
    send(Call.delete(path));
  }

  /** Sends a file as it is, streaming. */
  public JsonNode postFile(String path, String type, Path file) {
    return send(Call.post(path, type, content(file)));
  }

  /** Stores a file's content under its hash, streaming. */
  public void putBlob(BlobId blob, Path file) {
    send(Call.put("/api/v1/blobs/" + blob, "application/octet-stream", content(file)));
  }

  private static BodyPublisher content(Path file) {
    try {
      return BodyPublishers.ofFile(file);
    } catch (FileNotFoundException e) {
      throw new ImkerException("There is no file " + file + ".", e);
    }
  }

  /** The body of an answer as a stream; the caller closes it. */
  public InputStream open(String path) {
    return outages.outlast(() -> open(Call.get(path)));
  }

  /**
   * A stream of events, which goes on while its server leads; the caller closes it. Of several
   * servers, one that does not lead any more is left, and the stream fails.
   */
  InputStream openEvents(String path) {
    return open(Call.events(path, () -> true));
  }

  /** As above, of a task that may have nothing to say for long. */
  InputStream openLive(String path) {
    return open(Call.get(path).following());
  }

  /** Does something that only reads, again from its beginning if the pool goes away meanwhile. */
  void outlastOutages(Runnable reading) {
    outages.outlast(
        () -> {
          reading.run();
          return true;
        });
  }

  /** Reads from the body of an answer; what cuts it off is told apart from a full disk. */
  static int read(InputStream body, byte[] buffer) {
    try {
      return body.read(buffer);
    } catch (IOException e) {
      throw cutOff(e);
    }
  }

  private static NoServerException cutOff(IOException e) {
    return new NoServerException("The server's answer was cut off: " + e.getMessage(), e);
  }

  /** Goes on with another server, if there is one. */
  void leaveServer() {
    http.servers().leave(http.servers().current());
  }

  /** Writes the body of an answer to a file, in place of the one that may be there. */
  public void save(String path, Path target) {
    outlastOutages(
        () -> {
          try (InputStream body = open(Call.get(path));
              OutputStream file = Files.newOutputStream(target)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = read(body, buffer); n >= 0; n = read(body, buffer)) {
              file.write(buffer, 0, n);
            }
          } catch (IOException e) {
            throw new ImkerException(
                "Cannot write " + target + ": " + FileTrouble.inWords(e) + ".", e);
          }
        });
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
    http.close();
  }

  private static BodyPublisher jsonBody(Object body) {
    try {
      return BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode send(Call call) {
    return call.repeatable() ? outages.outlast(() -> sendOnce(call)) : sendOnce(call);
  }

  private JsonNode sendOnce(Call call) {
    try {
      Answer answer = http.send(call, patience());
      if (!answer.isGood()) {
        throw error(answer.status(), answer.body());
      }
      JsonNode node = JSON.readTree(answer.body());
      return node == null || node.isMissingNode() ? JSON.createObjectNode() : node;
    } catch (JsonProcessingException e) {
      throw stranger(200, e);
    } catch (NoAnswerException e) {
      throw nobody(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // of reading from memory
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private InputStream open(Call call) {
    try {
      HttpResponse<InputStream> answer = http.open(call, patience());
      if (answer.statusCode() < 300) {
        return answer.body();
      }
      try (InputStream body = answer.body()) {
        throw error(answer.statusCode(), body.readAllBytes());
      }
    } catch (NoAnswerException e) {
      throw nobody(e);
    } catch (IOException e) {
      throw cutOff(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Whoever names one server only wants to know at once that it is away. */
  private Duration patience() {
    return http.servers().hasSeveral() ? FAIL_OVER_PATIENCE : Duration.ZERO;
  }

  private static ImkerException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ImkerException("interrupted", e);
  }

  private static NoServerException nobody(NoAnswerException e) {
    return new NoServerException(ConnectionTrouble.of(e), e);
  }

  private ImkerException error(int status, byte[] body) {
    JsonNode error;
    try {
      error = JSON.readTree(body).path("error");
    } catch (IOException e) {
      return stranger(status, e);
    }
    if (error.isMissingNode()) {
      return stranger(status, null);
    }
    String message = error.path("message").asText("HTTP " + status);
    if (status == 401 && !pool.token().isEmpty()) {
      message =
          "The server at "
              + url()
              + " rejected this token. Log in with 'imker login', or pass another one"
              + " with --token or IMKER_TOKEN: your own ('imker tokens'), or the pool's"
              + " from the file admin-token in the server's data folder.";
    }
    return new ApiException(
        status,
        error.path("code").asText("http"),
        SafeText.lines(message),
        SafeText.line(error.path("field").asText("")));
  }

  private NoServerException stranger(int status, @Nullable Throwable cause) {
    String message =
        "%s did not answer like an Imker server (HTTP status %d). Check the address and the port."
            .formatted(url(), status);
    return cause == null ? new NoServerException(message) : new NoServerException(message, cause);
  }
}
