package dev.imker.server.http;

import io.vertx.core.http.HttpMethod;
import java.io.IOException;

/**
 * One route.
 *
 * @param path with parameters in braces, as in OpenAPI; a last parameter ending in {@code *} takes
 *     the rest of the path, slashes included
 * @param blocking whether the handler runs on a virtual thread and may wait
 */
public record Endpoint(
    HttpMethod method, String path, Access access, boolean blocking, Handler handler) {
  static final String JOB_PATH = "/api/v1/jobs/{id}";
  static final String TASK_PATH = "/api/v1/tasks/{task}";

  /** Whether its path names a job or a task. */
  boolean namesWork() {
    return path.startsWith(JOB_PATH) || path.startsWith(TASK_PATH);
  }

  /** Whether it may change something. */
  public boolean changes() {
    return !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD);
  }

  /** Answers one request. Exceptions become error answers. */
  @FunctionalInterface
  public interface Handler {
    void handle(Exchange exchange) throws IOException, InterruptedException;
  }

  public static Endpoint get(String path, Access access, Handler handler) {
    return new Endpoint(HttpMethod.GET, path, access, true, handler);
  }

  public static Endpoint head(String path, Access access, Handler handler) {
    return new Endpoint(HttpMethod.HEAD, path, access, true, handler);
  }

  public static Endpoint post(String path, Access access, Handler handler) {
    return new Endpoint(HttpMethod.POST, path, access, true, handler);
  }

  public static Endpoint put(String path, Access access, Handler handler) {
    return new Endpoint(HttpMethod.PUT, path, access, true, handler);
  }

  public static Endpoint delete(String path, Access access, Handler handler) {
    return new Endpoint(HttpMethod.DELETE, path, access, true, handler);
  }

  /** A route that turns into a WebSocket; the handler runs on the event loop and must not wait. */
  public static Endpoint upgrade(String path, Access access, Handler handler) {
    return new Endpoint(HttpMethod.GET, path, access, false, handler);
  }

  /** The same, answered in another way. */
  Endpoint answeredBy(Handler other) {
    return new Endpoint(method, path, access, blocking, other);
  }

  /** The path in the language of the router. */
  String pattern() {
    return path.replaceAll("\\{[a-z]+\\*}", "*").replaceAll("\\{([a-z0-9]+)}", ":$1");
  }

  /** Whether a concrete path belongs here. */
  boolean matches(String concrete) {
    String regex = path.replaceAll("\\{[a-z]+\\*}", ".*").replaceAll("\\{[a-z0-9]+}", "[^/]+");
    return concrete.matches(regex);
  }
}
