package dev.imker.store.postgres;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings when a turn was written. Whoever listens looks now and then all the same: a connection that
 * is lost rings no more, and not every pooler passes notifications on. That somebody listens is
 * known by a lock, which goes with the connection. Belongs to one thread.
 */
final class TurnBell implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnBell.class);

  /**
   * Both numbers together name the advisory lock that all who listen share; locks of leadership and
   * of servers are of another class.
   */
  private static final int LOCK_CLASS = 0x494d_4b54;

  private static final int LOCK_NUMBER = 1;

  private static final String HEARD =
      """
      SELECT EXISTS (
        SELECT 1 FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND classid = :class AND objid = :number
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
      """;

  private final PostgresDatabase database;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  TurnBell(PostgresDatabase database) {
    this.database = database;
  }

  /** Whether anybody listens for turns in the database of a connection. */
  static boolean isHeard(Connection c) throws SQLException {
    return Rows.first(
            c,
            row -> row.getBoolean(1),
            HEARD,
            bind("class", LOCK_CLASS),
            bind("number", LOCK_NUMBER))
        .orElse(false);
  }

  /** Waits for the next turn, or so long at most; false if it cannot listen at the moment. */
  boolean await(long millis) throws InterruptedException {
    try {
      Connection open = connection;
      if (open == null || open.isClosed()) {
        listen();
        return true; // what came before was not heard
      }
      open.unwrap(PGConnection.class).getNotifications(Math.toIntExact(millis));
      return true;
    } catch (SQLException e) {
      LOG.debug("turns are not pushed, polling for them", e);
      hangUp();
      TimeUnit.MILLISECONDS.sleep(millis);
      return false;
    }
  }

  private void listen() throws SQLException {
    Connection open = database.openPlain();
    connection = open;
    try (Statement statement = open.createStatement()) {
      statement.execute(
          "SELECT pg_try_advisory_lock_shared(%d, %d)".formatted(LOCK_CLASS, LOCK_NUMBER));
      statement.execute("LISTEN " + ChangeLog.CHANNEL);
    }
    if (closed) {
      hangUp();
    }
  }

  /** Until the next time that it waits, which may be long: what is announced would pile up. */
  void hangUp() {
    Connection open = connection;
    connection = null;
    PostgresDatabase.closeLost(open);
  }

  @Override
  public void close() {
    closed = true;
    hangUp();
  }
}
