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
 * Rings when a turn was written. Listeners must also poll from time to time: a lost connection no
 * longer rings, and not every connection pooler forwards notifications. Confined to one thread.
 */
final class TurnBell implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnBell.class);

  private final PostgresDatabase database;
  private volatile @Nullable Connection connection;

  TurnBell(PostgresDatabase database) {
    this.database = database;
  }

  /** Waits for the next turn, or for the given time; false if it currently cannot listen. */
  boolean await(long millis) throws InterruptedException {
    try {
      Connection open = connection;
      if (open == null || open.isClosed()) {
        open = database.openPlain();
        connection = open;
        try (Statement statement = open.createStatement()) {
          statement.execute("LISTEN " + ChangeLog.CHANNEL);
        }
        return true; // earlier turns were missed
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
