package dev.imker.store.sqlite;

import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreBrokenException;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single connection that writes: runs transactions, one at a time, and survives failed ones.
 */
public class SqliteTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteTransactions.class);

  /** Few enough not to delay other users of the connection noticeably. */
  private static final int PAGES_PER_SLICE = 64;

  private final SqliteFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private Connection connection;
  private final CompletableFuture<StoreBrokenException> failure = new CompletableFuture<>();
  private @Nullable StoreBrokenException broken;

  public SqliteTransactions(SqliteFile file, Connection connection) throws SQLException {
    this.file = file;
    this.connection = connection;
    connection.setAutoCommit(false);
  }

  /** Completes when nothing can be written any more: only the next start determines the state. */
  public CompletableFuture<StoreBrokenException> failure() {
    return failure;
  }

  /** Runs work in a transaction of its own; {@code doing} completes "could not ...". */
  public <T> T transaction(String doing, SqlWork<T> work) {
    NonBlockingThread.check(doing);
    lock.lock();
    boolean committed = false;
    try {
      if (broken != null) {
        throw new StoreBrokenException(String.valueOf(broken.getMessage()), broken);
      }
      T result = work.run(connection);
      connection.commit();
      committed = true;
      return result;
    } catch (SQLException e) {
      throw remember(file.explain(doing, e));
    } finally {
      if (!committed) {
        undo();
      }
      lock.unlock();
    }
  }

  /** Releases some of the space left by deleted rows; returns whether there is more. */
  public boolean shrink() {
    return transaction(
        "give space back",
        c -> {
          // Each page is a step; only a plain statement takes more than one of them.
          try (Statement statement = c.createStatement()) {
            statement.executeUpdate("PRAGMA incremental_vacuum(" + PAGES_PER_SLICE + ")");
          }
          return Rows.first(c, row -> row.getLong(1), "PRAGMA freelist_count").orElse(0L) > 0
              && Rows.first(c, row -> row.getInt(1), "PRAGMA auto_vacuum").orElse(0) > 0;
        });
  }

  /** Called when a failed transaction was rolled back. */
  void undone() throws SQLException {}

  /** Called when a new connection replaces the last one. */
  void attached(Connection fresh) throws SQLException {}

  @Override
  public void close() throws SQLException {
    lock.lock();
    try {
      connection.close();
    } finally {
      lock.unlock();
    }
  }

  private StoreException remember(StoreException error) {
    if (error instanceof StoreBrokenException e) {
      breakDown(e);
    }
    return error;
  }

  private void undo() {
    if (broken != null) {
      return;
    }
    try {
      undone();
      connection.rollback();
    } catch (SQLException e) {
      // SQLite rolls some failed transactions back by itself; the connection's own idea of it is
      // then out of step.
      LOG.debug("rollback failed, reconnecting", e);
      reconnect();
    }
  }

  private void reconnect() {
    try {
      connection.close();
      connection = file.openWriter();
      connection.setAutoCommit(false);
      attached(connection);
    } catch (SQLException e) {
      breakDown(
          new StoreBrokenException(
              "The database " + file.path() + " could not be opened again: " + e.getMessage(), e));
    }
  }

  private void breakDown(StoreBrokenException cause) {
    broken = cause;
    var _ = failure.completeAsync(() -> cause);
  }
}
