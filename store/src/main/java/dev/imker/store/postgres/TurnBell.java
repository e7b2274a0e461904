package dev.imker.store.postgres;

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
 * is lost rings no more, and not every pooler passes notifications on. Belongs to one thread.
 */
final class TurnBell implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnBell.class);

  private final PostgresDatabase database;
  private volatile @Nullable Connection connection;

  TurnBell(PostgresDatabase database) {
    this.database = database;
  }

  /** Waits for the next turn, or so long at most; false if it cannot listen at the moment. */
  boolean await(long millis) throws InterruptedException {
    try {
      Connection open = connection;
      if (open == null || open.isClosed()) {
        open = database.openPlain();
        connection = open;
        try (Statement statement = open.createStatement()) {
          statement.execute("LISTEN " + ChangeLog.CHANNEL);
        }
        return true; // what came before was not heard
      }
      open.unwrap(PGConnection.class).getNotifications(Math.toIntExact(millis));
      return true;
    } catch (SQLException e) {
      LOG.debug("turns are not pushed, polling for them", e);
      close();
      TimeUnit.MILLISECONDS.sleep(millis);
      return false;
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    PostgresDatabase.closeLost(open);
  }
}
