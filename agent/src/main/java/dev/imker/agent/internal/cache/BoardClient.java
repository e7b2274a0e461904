package dev.imker.agent.internal.cache;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import dev.imker.model.http.Answer;
import dev.imker.model.http.RequestMarks;
import dev.imker.tasks.coordination.Asker;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The blackboard of a project, and the coordination of tasks, for tasks without direct access to
 * the server.
 *
 * @param patienceMillis how long to wait for a server that is away
 * @param marks of what must happen once only
 */
public record BoardClient(
    BlobClient connection, ServerAccess server, long patienceMillis, RequestMarks marks) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(60);
  private static final Duration COORDINATION_PATIENCE = Duration.ofSeconds(90);
  private static final long AGAIN_MILLIS = 200;

  /** Asking again may help. */
  private static final Set<Integer> AGAIN = Set.of(429, 502, 503, 504);

  /** Requests that change something each time and therefore need an idempotency key. */
  private static final Set<String> ONCE = Set.of("add", "put", "set", "take");

  public BoardClient(BlobClient connection, ServerAccess server, long patienceMillis) {
    this(connection, server, patienceMillis, new RequestMarks());
  }

  /**
   * @param tokens makes of the agent's token the one of the task
   * @throws ImkerException if the server refuses
   */
  public Optional<byte[]> read(String name, UnaryOperator<String> tokens)
      throws IOException, InterruptedException {
    Answer response = send(board(name), tokens, ANSWER_PATIENCE, HttpRequest.Builder::GET);
    if (response.status() == 404) {
      return Optional.empty();
    }
    return Optional.of(checked(response));
  }

  public void write(String name, byte[] content, UnaryOperator<String> tokens)
      throws IOException, InterruptedException {
    var _ =
        checked(
            send(
                board(name),
                tokens,
                ANSWER_PATIENCE,
                request -> request.PUT(HttpRequest.BodyPublishers.ofByteArray(content))));
  }

  /**
   * Sends a coordination request; waits for a server that is away.
   *
   * @return the fields of the answer
   * @throws ImkerException if the server refuses
   */
  public Map<String, Object> coordinate(
      String kind, String name, Map<String, Object> body, UnaryOperator<String> tokens)
      throws IOException, InterruptedException {
    if (!ONCE.contains(String.valueOf(body.get("action")))) {
      return coordinate(kind, name, body, "", tokens);
    }
    try (RequestMarks.Mark mark = marks.next()) {
      return coordinate(kind, name, body, mark.text(), tokens);
    }
  }

  private Map<String, Object> coordinate(
      String kind, String name, Map<String, Object> body, String mark, UnaryOperator<String> tokens)
      throws IOException, InterruptedException {
    byte[] content = JSON.writeValueAsBytes(body);
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (true) {
      try {
        Answer response =
            send(
                "/api/v1/coord/" + encoded(kind) + "/" + encoded(name),
                tokens,
                COORDINATION_PATIENCE,
                request ->
                    marked(request, mark)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(content)));
        if (response.status() == 409) {
          return Map.of(Asker.CONFLICT, true);
        }
        if (!AGAIN.contains(response.status()) || System.nanoTime() - deadlineNanos > 0) {
          return fields(checked(response));
        }
      } catch (IOException e) {
        if (System.nanoTime() - deadlineNanos > 0) {
          throw new IOException(
              "No answer came to '%s' of %s '%s' for %d s: it may have happened or not."
                  .formatted(
                      body.get("action"),
                      kind,
                      name,
                      TimeUnit.MILLISECONDS.toSeconds(patienceMillis)),
              e);
        }
      }
      Thread.sleep(AGAIN_MILLIS);
    }
  }

  private static HttpRequest.Builder marked(HttpRequest.Builder request, String mark) {
    return mark.isEmpty() ? request : request.header(RequestMarks.HEADER, mark);
  }

  private static Map<String, Object> fields(byte[] json) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    JSON.readTree(json)
        .properties()
        .forEach(
            field -> {
              JsonNode value = field.getValue();
              if (value.isArray()) {
                List<String> texts = new ArrayList<>();
                value.forEach(one -> texts.add(one.asText()));
                fields.put(field.getKey(), texts);
              } else if (value.isBoolean()) {
                fields.put(field.getKey(), value.asBoolean());
              } else if (value.isIntegralNumber()) {
                fields.put(field.getKey(), value.asLong());
              } else if (!value.isNull()) {
                fields.put(field.getKey(), value.asText());
              }
            });
    return fields;
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String board(String name) {
    return "/api/v1/board/" + encoded(name);
  }

  private Answer send(
      String path,
      UnaryOperator<String> tokens,
      Duration maxSilence,
      UnaryOperator<HttpRequest.Builder> completion)
      throws IOException, InterruptedException {
    ServerAccess.Access access = server.await(patienceMillis);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(access.at(path))
            .header("Authorization", "Bearer " + tokens.apply(access.token()));
    return connection.send(access, completion.apply(request), maxSilence);
  }

  private static byte[] checked(Answer response) {
    if (!response.isGood()) {
      throw new ImkerException(
          "The server refused it: " + new String(response.body(), StandardCharsets.UTF_8));
    }
    return response.body();
  }
}
