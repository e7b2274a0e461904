package dev.imker.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings the {@link TurnBell} of followers after a turn was written. It uses separate transactions
 * that do not wait for the disk: PostgreSQL serialises the commits of transactions that notify,
 * across all databases of a server, so turns would wait for each other's disk.
 */
final class TurnRinger implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnRinger.class);

  private final PostgresDatabase database;
  private final Semaphore turns = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("imker-ringer").unstarted(this::run);
  private @Nullable Connection connection;

  TurnRinger(PostgresDatabase database) {
    this.database = database;
  }

  /** Rings soon, once for all turns until then; called by one thread. */
  void ring() {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    turns.release();
  }

  private void run() {
    try {
      while (true) {
        turns.acquire();
        turns.drainPermits();
        try {
          tell();
        } catch (SQLException | RuntimeException e) { // the next turn rings again
          LOG.debug("a turn is not announced: whoever follows looks now and then", e);
          hangUp();
        }
      }
    } catch (InterruptedException e) {
      hangUp();
    }
  }

  private void tell() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = database.openPlain();
      connection = open;
      execute(open, "SET synchronous_commit = off");
    }
    execute(open, "NOTIFY " + ChangeLog.CHANNEL);
  }

  private static void execute(Connection open, String sql) throws SQLException {
    try (Statement statement = open.createStatement()) {
      statement.execute(sql);
    }
  }

  private void hangUp() {
    Connection open = connection;
    connection = null;
    PostgresDatabase.closeLost(open);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
