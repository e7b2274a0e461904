package dev.imker.server.http;

import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Closes connections without a request for long: unused ones, and those whose next request arrives
 * byte by byte without a complete header. Thread-safe.
 */
public final class ConnectionWatch {
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(75);

  /** What happens on one connection. */
  private static final class Use {
    int requests;
    long sinceNanos = System.nanoTime();
  }

  private final long patienceNanos;
  private final Map<HttpConnection, Use> uses = Collections.synchronizedMap(new WeakHashMap<>());

  public ConnectionWatch() {
    this(USUAL_PATIENCE);
  }

  ConnectionWatch(Duration patience) {
    patienceNanos = patience.toNanos();
  }

  public long millisBetweenLooks() {
    return Math.max(1, Duration.ofNanos(patienceNanos / 5).toMillis());
  }

  public void opened(HttpConnection connection) {
    uses.put(connection, new Use());
  }

  /** The head of a request is there. */
  void begun(HttpConnection connection) {
    uses.computeIfPresent(
        connection,
        (_, use) -> {
          use.requests++;
          return use;
        });
  }

  /** It is answered, or broke off. */
  void ended(HttpConnection connection) {
    uses.computeIfPresent(
        connection,
        (_, use) -> {
          use.requests--;
          use.sinceNanos = System.nanoTime();
          return use;
        });
  }

  /** It becomes something else than requests and answers, which looks after itself. */
  void leave(HttpConnection connection) {
    uses.remove(connection);
  }

  /** Closes what has waited for too long. */
  public void look() {
    long now = System.nanoTime();
    List<HttpConnection> over = new ArrayList<>();
    synchronized (uses) {
      uses.forEach(
          (connection, use) -> {
            if (use.requests <= 0 && now - use.sinceNanos > patienceNanos) {
              over.add(connection);
            }
          });
      over.forEach(uses::remove);
    }
    over.forEach(HttpConnection::close);
  }
}
