package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Kept connections to the servers of a pool; for any number of threads. */
final class HttpConnections implements AutoCloseable {
  private static final int MOST_IDLE = 16;

  /** An answer that was read to its end. */
  record Whole(int status, Map<String, String> headers, byte[] body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  private final SSLSocketFactory tls;
  private final boolean checksNames;
  private final Deque<HttpConnection> idle = new ArrayDeque<>();
  private final Set<HttpConnection> busy = new HashSet<>();
  private final Set<HttpConnection> streams = new HashSet<>();
  private final Set<URI> shunned = new HashSet<>();
  private boolean closed;

  HttpConnections(SSLSocketFactory tls, boolean checksNames) {
    this.tls = tls;
    this.checksNames = checksNames;
  }

  /** Sends a request; one that the other side cannot have seen is sent once more. */
  Whole ask(
      URI origin,
      String method,
      String path,
      Map<String, String> headers,
      byte @Nullable [] body,
      Duration patience)
      throws IOException {
    while (true) {
      HttpConnection connection = take(origin);
      try {
        HttpConnection.Answer answer = connection.ask(method, path, headers, body, patience);
        byte[] content = answer.body().readAllBytes();
        giveBack(connection);
        return new Whole(answer.status(), answer.headers(), content);
      } catch (HttpConnection.StaleException e) {
        drop(connection);
      } catch (IOException | RuntimeException e) {
        drop(connection);
        throw e;
      }
    }
  }

  /** An answer whose body is read while it comes; closing that ends its connection. */
  HttpConnection.Answer open(
      URI origin, String path, Map<String, String> headers, Duration patience) throws IOException {
    HttpConnection connection = connect(origin);
    try {
      HttpConnection.Answer answer = connection.ask("GET", path, headers, null, patience);
      synchronized (this) {
        streams.add(connection);
      }
      return new HttpConnection.Answer(
          answer.status(), answer.headers(), closing(answer.body(), connection));
    } catch (IOException | RuntimeException e) {
      drop(connection);
      throw e;
    }
  }

  private InputStream closing(InputStream body, HttpConnection connection) {
    return new java.io.FilterInputStream(body) {
      @Override
      public void close() {
        drop(connection);
      }
    };
  }

  /** Whether a server answers at all: the status of its answer, on a connection of its own. */
  int knock(URI origin, String path, Map<String, String> headers, Duration patience)
      throws IOException {
    try (HttpConnection connection = HttpConnection.open(origin, tls, checksNames, patience)) {
      return connection.ask("GET", path, headers, null, patience).status();
    }
  }

  /**
   * The servers of which something is expected.
   *
   * @param streamsToo whether more is expected of streams that are open
   */
  synchronized Set<URI> awaited(boolean streamsToo) {
    return busy.stream()
        .filter(connection -> streamsToo || !streams.contains(connection))
        .map(HttpConnection::origin)
        .collect(Collectors.toSet());
  }

  /** Breaks all connections to a server off, and makes no others until it is forgiven. */
  void shun(URI origin) {
    List<HttpConnection> affected;
    synchronized (this) {
      shunned.add(origin);
      affected = Stream.concat(busy.stream(), idle.stream()).filter(to(origin)).toList();
      idle.removeAll(affected);
    }
    affected.forEach(HttpConnection::breakOff);
  }

  synchronized Set<URI> shunned() {
    return Set.copyOf(shunned);
  }

  synchronized void forgive(URI origin) {
    shunned.remove(origin);
  }

  /** Breaks the streams from a server off. */
  void endStreams(URI origin) {
    List<HttpConnection> affected;
    synchronized (this) {
      affected = streams.stream().filter(to(origin)).toList();
    }
    affected.forEach(HttpConnection::breakOff);
  }

  private static Predicate<HttpConnection> to(URI origin) {
    return connection -> connection.origin().equals(origin);
  }

  private synchronized void requireAnswering(URI origin) throws IOException {
    if (shunned.contains(origin)) {
      throw new IOException("The server at " + origin + " does not answer.");
    }
  }

  private HttpConnection take(URI origin) throws IOException {
    synchronized (this) {
      requireAnswering(origin);
      for (HttpConnection connection = idle.poll(); connection != null; connection = idle.poll()) {
        if (connection.origin().equals(origin)) {
          busy.add(connection);
          return connection;
        }
        connection.close(); // of a server that does not lead any more
      }
    }
    return connect(origin);
  }

  private HttpConnection connect(URI origin) throws IOException {
    requireOpen();
    requireAnswering(origin);
    HttpConnection connection =
        HttpConnection.open(origin, tls, checksNames, HttpConnection.CONNECT_PATIENCE);
    synchronized (this) {
      if (!closed && !shunned.contains(origin)) {
        busy.add(connection);
        return connection;
      }
    }
    connection.close();
    requireOpen();
    throw new IOException("The server at " + origin + " does not answer.");
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new ImkerException("The connection to the pool was closed.");
    }
  }

  private synchronized void giveBack(HttpConnection connection) {
    busy.remove(connection);
    if (closed || !connection.isReusable() || idle.size() >= MOST_IDLE) {
      connection.close();
    } else {
      idle.push(connection);
    }
  }

  private void drop(HttpConnection connection) {
    synchronized (this) {
      busy.remove(connection);
      streams.remove(connection);
    }
    connection.close();
  }

  @Override
  public void close() {
    List<HttpConnection> all;
    synchronized (this) {
      closed = true;
      all = new java.util.ArrayList<>(idle);
      all.addAll(busy);
      idle.clear();
      busy.clear();
      streams.clear();
    }
    all.forEach(HttpConnection::close);
  }
}
