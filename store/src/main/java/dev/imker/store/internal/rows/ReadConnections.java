package dev.imker.store.internal.rows;

import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few read-only connections, opened when first needed. */
public final class ReadConnections implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadConnections.class);
  private static final int MAX_CONNECTIONS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = 50_000_000;

  private final Database database;
  private final Semaphore permits = new Semaphore(MAX_CONNECTIONS);
  private final LinkedBlockingDeque<Connection> idle = new LinkedBlockingDeque<>();
  private final Duration patience;

  /** When the database was first found unavailable, in nanoseconds; null while it is available. */
  private final AtomicReference<@Nullable Long> awaySince = new AtomicReference<>();

  private volatile boolean closed;

  public ReadConnections(Database database) {
    this(database, PATIENCE);
  }

  ReadConnections(Database database, Duration patience) {
    this.database = database;
    this.patience = patience;
  }

  /**
   * Reads; if the database becomes unavailable and comes back soon, once more from the start.
   * Patience counts from the beginning of the outage, not from the query, so that later queries are
   * answered immediately.
   */
  public <T> T read(SqlWork<T> work) {
    NonBlockingThread.check("read from the database");
    while (true) {
      permits.acquireUninterruptibly();
      try {
        return onConnection(work);
      } catch (SQLException e) {
        if (!database.isGone(e) || !isPatient()) {
          throw database.explain("be read", e);
        }
        closeIdle();
      } finally {
        permits.release();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean isPatient() {
    long now = System.nanoTime();
    awaySince.compareAndSet(null, now);
    @Nullable Long since = awaySince.get(); // null again if another thread has just read
    return !Thread.currentThread().isInterrupted()
        && (since == null || now - since < patience.toNanos());
  }

  /** Like {@link #read}, for work that cannot be restarted. */
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

  /** Like {@link #readOnce}, on a connection of its own, without waiting for other queries. */
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

  /** If one connection is lost, the others usually are, too. */
  private void closeIdle() {
    for (Connection free = idle.pollFirst(); free != null; free = idle.pollFirst()) {
      try {
        free.close();
      } catch (SQLException e) {
        LOG.debug("closing a lost connection", e);
      }
    }
  }

  /** Waits for running queries, then closes all connections. */
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
      awaySince.set(null);
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
