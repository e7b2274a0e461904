package dev.imker.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A few read-only connections, opened when first needed. */
final class ReadConnections implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 4;

  private final SqliteFile file;
  private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
  private final LinkedBlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
  private volatile boolean closed;

  ReadConnections(SqliteFile file) {
    this.file = file;
  }

  <T> T read(SqlWork<T> work) {
    permits.acquireUninterruptibly();
    try {
      return onConnection(work);
    } catch (SQLException e) {
      throw SqliteErrors.explain(file.path(), "be read", e);
    } finally {
      permits.release();
    }
  }

  /** Waits for the queries that are going on, then closes all connections. */
  @Override
  public void close() throws SQLException {
    permits.acquireUninterruptibly(MAX_CONNECTIONS);
    closed = true;
    try {
      for (Connection connection : idle) {
        connection.close();
      }
      idle.clear();
    } finally {
      permits.release(MAX_CONNECTIONS);
    }
  }

  private <T> T onConnection(SqlWork<T> work) throws SQLException {
    if (closed) {
      throw new StoreException("The store is closed.");
    }
    @Nullable Connection free = idle.pollFirst();
    Connection connection = free != null ? free : file.openReader();
    boolean healthy = false;
    try {
      T result = work.run(connection);
      healthy = true;
      return result;
    } finally {
      if (healthy) {
        idle.addFirst(connection);
      } else {
        connection.close();
      }
    }
  }
}
