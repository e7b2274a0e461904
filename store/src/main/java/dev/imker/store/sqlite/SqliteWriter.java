package dev.imker.store.sqlite;

import dev.imker.model.change.Change;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreBrokenException;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.SqlWork;
import dev.imker.store.internal.write.ChangeWriter;
import dev.imker.store.sql.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one connection that writes: runs transactions, one at a time, and survives failed ones. */
final class SqliteWriter implements Writer {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

  private final SqliteFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private Connection connection;
  private ChangeWriter changeWriter;
  private @Nullable StoreBrokenException broken;

  SqliteWriter(SqliteFile file, Connection connection) throws SQLException {
    this.file = file;
    this.connection = connection;
    this.changeWriter = attach(connection);
  }

  @Override
  public void write(List<Change> changes) {
    transaction(
        "write changes",
        c -> {
          changeWriter.write(changes);
          return changes.size();
        });
  }

  @Override
  public <T> T transaction(String doing, SqlWork<T> work) {
    NonBlockingThread.check(doing);
    lock.lock();
    boolean committed = false;
    try {
      ensureUsable();
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

  @Override
  public void close() throws SQLException {
    lock.lock();
    try {
      connection.close();
    } finally {
      lock.unlock();
    }
  }

  private static ChangeWriter attach(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    return new ChangeWriter(connection, Dialect.SQLITE, new Names(connection));
  }

  private void ensureUsable() {
    if (broken != null) {
      throw new StoreBrokenException(String.valueOf(broken.getMessage()), broken);
    }
  }

  private StoreException remember(StoreException error) {
    if (error instanceof StoreBrokenException e) {
      broken = e;
    }
    return error;
  }

  private void undo() {
    if (broken != null) {
      return;
    }
    try {
      changeWriter.discard();
      connection.rollback();
    } catch (SQLException e) {
      // SQLite rolls some failed transactions back by itself; the connection's own idea of it is
      // then out of step.
      LOG.debug("rolling back failed, connecting anew", e);
      reconnect();
    }
  }

  private void reconnect() {
    try {
      connection.close();
      connection = file.openWriter();
      changeWriter = attach(connection);
    } catch (SQLException e) {
      broken =
          new StoreBrokenException(
              "The database " + file.path() + " could not be opened again: " + e.getMessage(), e);
    }
  }
}
