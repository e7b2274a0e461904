package dev.imker.store.internal.rows;

import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few read-only connections, opened when first needed. */
public final class ReadConnections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadConnections.class);
  private static final int MAX_CONNECTIONS = 4;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Database database;
  private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
  private final LinkedBlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
  private volatile boolean closed;

  public ReadConnections(Database database) {
    this.database = database;
  }

  /** Reads; if the database goes away meanwhile and comes back soon, once more from the start. */
  public <T> T read(SqlWork<T> work) {
    NonBlockingThread.check("read from the database");
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      permits.acquireUninterruptibly();
      try {
        return onConnection(work);
      } catch (SQLException e) {
        boolean patient = !Thread.currentThread().isInterrupted() && System.nanoTime() < deadline;
        if (!database.isGone(e) || !patient) {
          throw database.explain("be read", e);
        }
        closeIdle();
      } finally {
        permits.release();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** As {@link #read}, for work that cannot be begun again. */
  public <T> T readOnce(SqlWork<T> work) {
    NonBlockingThread.check("read from the database");
    permits.acquireUninterruptibly();
    try {
      return onConnection(work);
    } catch (SQLException e) {
      throw database.explain("be read", e);
    } finally {
      permits.release();
    }
  }

  /** As {@link #readOnce}, on a connection of its own, so that no other query is waited for. */
  public <T> T readApart(SqlWork<T> work) {
    NonBlockingThread.check("read from the database");
    if (closed) {
      throw new StoreException("The store is closed.");
    }
    try (Connection connection = database.openReader()) {
      return work.run(connection);
    } catch (SQLException e) {
      throw database.explain("be read", e);
    }
  }

  /** One that is lost is hardly ever lost alone. */
  private void closeIdle() {
    for (Connection free = idle.pollFirst(); free != null; free = idle.pollFirst()) {
      try {
        free.close();
      } catch (SQLException e) {
        LOG.debug("closing a lost connection", e);
      }
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
    Connection connection = free != null ? free : database.openReader();
    boolean healthy = false;
    try {
      T result = work.run(connection);
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
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
