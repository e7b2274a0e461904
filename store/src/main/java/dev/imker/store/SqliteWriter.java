package dev.imker.store;

import dev.imker.model.change.Change;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one connection that writes: runs transactions, one at a time, and survives failed ones. */
final class SqliteWriter implements Writer {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteWriter.class);

  private static final String TOUCH = "UPDATE pool SET epoch = epoch";

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
          if (changes.isEmpty()) {
            Rows.update(c, TOUCH); // so that the log is synchronised
          }
          changeWriter.write(changes);
          return changes.size();
        });
  }

  /** In SQLite's normal mode a commit goes to the log, but the log only later to the disk. */
  @Override
  public boolean writeAhead(List<Change> changes) {
    lock.lock();
    try {
      ensureUsable();
      setSynchronous("NORMAL");
      try {
        write(changes);
      } finally {
        if (broken == null) {
          waitForDiskAgain();
        }
      }
      return true;
    } catch (SQLException e) {
      throw remember(file.explain("write ahead", e));
    } finally {
      lock.unlock();
    }
  }

  /** A fresh connection does by itself. */
  private void waitForDiskAgain() {
    try {
      setSynchronous("FULL");
    } catch (SQLException e) {
      LOG.debug("the mode could not be changed back, connecting anew", e);
      reconnect();
    }
  }

  /** Only possible outside of a transaction. */
  private void setSynchronous(String mode) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA synchronous = " + mode);
    } finally {
      connection.setAutoCommit(false);
    }
  }

  @Override
  public <T> T transaction(String doing, SqlWork<T> work) {
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
