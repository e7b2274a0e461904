package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A shared object by kind and name. Repeats requests until they are granted. */
record AskedThing(Asker asker, String kind, String name) {
  static final Duration FOREVER = Duration.ofDays(3_650);
  private static final long LONGEST_WAIT_SECONDS = 30;

  Map<String, Object> ask(String action) throws InterruptedException {
    return ask(action, Map.of());
  }

  Map<String, Object> ask(String action, Map<String, Object> fields) throws InterruptedException {
    return ask(action, fields, 0);
  }

  private Map<String, Object> ask(String action, Map<String, Object> fields, long waitSeconds)
      throws InterruptedException {
    Map<String, Object> body = new HashMap<>(fields);
    body.put("action", action);
    if (waitSeconds > 0) {
      body.put("wait", waitSeconds);
    }
    return asker.ask(kind, name, body);
  }

  /** The first satisfying answer; empty if there was none within the time. */
  Optional<Map<String, Object>> await(
      String action,
      Map<String, Object> fields,
      Duration patience,
      Predicate<Map<String, Object>> willDo)
      throws InterruptedException {
    long deadlineNanos = System.nanoTime() + Math.min(patience.toNanos(), FOREVER.toNanos());
    Map<String, Object> answer = ask(action, fields);
    if (willDo.test(answer)) {
      return Optional.of(answer);
    }
    asker.waits(true);
    try {
      while (!willDo.test(answer)) {
        long leftSeconds = Math.ceilDiv(deadlineNanos - System.nanoTime(), 1_000_000_000L);
        if (leftSeconds <= 0) {
          return Optional.empty();
        }
        answer = ask(action, fields, Math.min(leftSeconds, LONGEST_WAIT_SECONDS));
      }
      return Optional.of(answer);
    } finally {
      asker.waits(false);
    }
  }

  static boolean flag(Map<String, Object> answer, String field) {
    return Boolean.TRUE.equals(answer.get(field));
  }

  static long number(Map<String, Object> answer, String field) {
    return answer.get(field) instanceof Number number ? number.longValue() : 0;
  }
}
