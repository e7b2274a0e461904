package dev.imker.client.internal;

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

  private HttpConnection take(URI origin) throws IOException {
    synchronized (this) {
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
    HttpConnection connection = HttpConnection.open(origin, tls, checksNames);
    synchronized (this) {
      if (!closed) {
        busy.add(connection);
        return connection;
      }
    }
    connection.close();
    requireOpen();
    throw new IllegalStateException("closed and open");
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
    }
    all.forEach(HttpConnection::close);
  }
}
