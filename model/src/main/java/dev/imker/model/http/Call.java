package dev.imker.model.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A request, independent of the server that receives it.
 *
 * @param path and query
 * @param maxSilence how long no byte may be transferred before the call is abandoned
 * @param repeatable whether sending it twice has the same effect as once
 * @param live whether only a leader can continue the answer
 * @param awaited whether data of the answer is currently expected
 */
public record Call(
    String method,
    String path,
    Map<String, String> headers,
    BodyPublisher body,
    Duration maxSilence,
    boolean repeatable,
    boolean live,
    BooleanSupplier awaited) {
  /** Longer than the longest that a server may be asked to wait for something, a minute. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(90);

  /** Event streams send a sign of life every ten seconds. */
  private static final Duration MAX_STREAM_SILENCE = Duration.ofSeconds(35);

  /** The bytes per second that a server silently forwards before it answers. */
  private static final long PASSED_ON_BYTES_PER_SECOND = 2 << 20;

  public Call {
    headers = Map.copyOf(headers);
  }

  public static Call get(String path) {
    return new Call(
        "GET", path, Map.of(), BodyPublishers.noBody(), MAX_SILENCE, true, false, () -> true);
  }

  /** An event stream, which continues for as long as its server leads. */
  public static Call events(String path, BooleanSupplier awaited) {
    return new Call(
        "GET", path, Map.of(), BodyPublishers.noBody(), MAX_STREAM_SILENCE, true, true, awaited);
  }

  public static Call delete(String path) {
    return get(path).as("DELETE", true, BodyPublishers.noBody());
  }

  public static Call put(String path, String type, BodyPublisher body) {
    return get(path).as("PUT", true, body).with("Content-Type", type);
  }

  public static Call patch(String path, String type, BodyPublisher body) {
    return get(path).as("PATCH", true, body).with("Content-Type", type);
  }

  /** Sent once only, unless it has a key. */
  public static Call post(String path, String type, BodyPublisher body) {
    return get(path).as("POST", false, body).with("Content-Type", type);
  }

  public Call with(String name, String value) {
    return with(Map.of(name, value));
  }

  /** With additional headers. A request repeated with the same key is executed once. */
  public Call with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(more);
    boolean may = repeatable || more.containsKey("Idempotency-Key");
    return new Call(method, path, all, body, maxSilence, may, live, awaited);
  }

  /** A query, which may be repeated. */
  public Call repeatably() {
    return as(method, true, body);
  }

  /** The answer comes only from a leader, which may be silent for long. */
  public Call following() {
    return new Call(method, path, headers, body, Duration.ofDays(1), repeatable, true, awaited);
  }

  private Call as(String newMethod, boolean mayRepeat, BodyPublisher newBody) {
    Duration silence =
        MAX_SILENCE.plusSeconds(Math.max(0, newBody.contentLength()) / PASSED_ON_BYTES_PER_SECOND);
    return new Call(newMethod, path, headers, newBody, silence, mayRepeat, live, awaited);
  }
}
