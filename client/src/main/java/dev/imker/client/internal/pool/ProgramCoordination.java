package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.internal.http.ChangedException;
import dev.imker.client.internal.http.RestClient;
import dev.imker.model.ImkerException;
import dev.imker.model.http.RequestMarks;
import dev.imker.tasks.coordination.Asker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes part for this program in what its calls do together.
 *
 * @param session that the program follows; while it does, it counts as there
 * @param scope of the names, which the calls have too
 * @param member number of those that take part for this program
 * @param marks of what must happen once only
 */
record ProgramCoordination(
    RestClient rest, String session, String scope, long member, RequestMarks marks)
    implements Asker {
  private static final System.Logger LOG = System.getLogger("dev.imker.client");

  /** How often a program says that it is there, of which half a minute may pass without. */
  private static final Duration STAY = Duration.ofSeconds(8);

  /** What changes something each time, and so bears a mark by which the server knows it again. */
  private static final Set<String> ONCE = Set.of("add", "put", "set", "take");

  @Override
  public Map<String, Object> ask(String kind, String name, Map<String, Object> body)
      throws InterruptedException {
    Map<String, Object> question = new HashMap<>(body);
    question.put("scope", scope);
    question.put("session", session);
    question.put("member", member);
    String path = "/api/v1/coord/" + kind + "/" + JobSession.encoded(name);
    byte[] json = RestClient.bytes(question);
    try {
      if (!ONCE.contains(String.valueOf(body.get("action")))) {
        return fields(rest.ask(path, json));
      }
      try (RequestMarks.Mark mark = marks.next()) {
        return fields(rest.post(path, json, Map.of(RequestMarks.HEADER, mark.text())));
      }
    } catch (ChangedException e) {
      return Map.of(CONFLICT, true);
    }
  }

  /**
   * Goes on saying that this program is there, until its thread is interrupted: of one that was cut
   * off, no connection tells for minutes.
   */
  void stay() {
    boolean heard = false;
    try {
      while (true) {
        try {
          ask("program", "this", Map.of("action", "stay"));
          heard = true;
        } catch (ImkerException e) {
          LOG.log(
              System.Logger.Level.DEBUG, "No server receives the heartbeats of this program", e);
          if (!heard && !(e instanceof RestClient.AwayException)) {
            return; // one of an earlier version goes by the connection alone
          }
        }
        Thread.sleep(STAY);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "The program leaves the group");
    }
  }

  /** A thread of this program takes no place in the pool. */
  @Override
  public void waits(boolean on) {}

  private static Map<String, Object> fields(JsonNode answer) {
    Map<String, Object> fields = new LinkedHashMap<>();
    answer
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
}
