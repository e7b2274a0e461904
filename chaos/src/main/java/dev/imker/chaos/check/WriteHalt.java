package dev.imker.chaos.check;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Has PostgreSQL hold a server in the middle of its nth write about work, before it can commit: a
 * trigger waits for a lock that is held here. What is killed then goes down after all writes before
 * that one, and nothing of it is there.
 */
public final class WriteHalt implements AutoCloseable {
  private static final long LOCK = 20_251_120;
  private static final String SCRIPT =
      """
      CREATE SEQUENCE chaos_event;
      CREATE TABLE chaos_halt (at BIGINT NOT NULL);
      INSERT INTO chaos_halt VALUES (0);
      CREATE FUNCTION chaos_halts() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('chaos_event') = (SELECT at FROM chaos_halt) THEN
          PERFORM pg_advisory_xact_lock(%1$d);
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER chaos_halt AFTER INSERT OR UPDATE ON job
      FOR EACH ROW EXECUTE FUNCTION chaos_halts();
      CREATE TRIGGER chaos_halt AFTER INSERT OR UPDATE ON task
      FOR EACH ROW EXECUTE FUNCTION chaos_halts();
      CREATE TRIGGER chaos_halt AFTER INSERT OR UPDATE ON attempt
      FOR EACH ROW EXECUTE FUNCTION chaos_halts();
      """
          .formatted(LOCK);
  private static final String WAITING =
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = " + LOCK;

  private final Connection connection;

  /**
   * @param url of the database of a pool whose tables are there, for its owner
   */
  public WriteHalt(String url) throws SQLException {
    connection = DriverManager.getConnection(url);
    execute(SCRIPT);
  }

  /** From here, writes count from 1, and the server is held in this one; in none if it is 0. */
  public void at(long write) throws SQLException {
    execute("ALTER SEQUENCE chaos_event RESTART");
    execute("SELECT pg_advisory_unlock_all()");
    execute("SELECT pg_advisory_lock(" + LOCK + ")");
    try (PreparedStatement update = connection.prepareStatement("UPDATE chaos_halt SET at = ?")) {
      update.setLong(1, write);
      update.executeUpdate();
    }
  }

  /** How many writes there were. */
  public long writes() throws SQLException {
    return numbers("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM chaos_event")
        .getFirst();
  }

  /** Whether a server is held. */
  public boolean isReached() {
    try {
      return !numbers(WAITING).isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException("the database does not say who waits", e);
    }
  }

  /**
   * Holds nobody any more.
   *
   * @param forget whether the write that was held is not to be, whatever its server has sent
   *     already; else it may come to pass although its server has died
   */
  public void release(boolean forget) throws SQLException {
    if (forget) {
      for (long session : numbers(WAITING)) {
        execute("SELECT pg_terminate_backend(" + session + ")");
      }
    }
    execute("SELECT pg_advisory_unlock_all()");
  }

  private List<Long> numbers(String query) throws SQLException {
    List<Long> numbers = new ArrayList<>();
    try (var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        numbers.add(row.getLong(1));
      }
    }
    return numbers;
  }

  private void execute(String statement) throws SQLException {
    try (var one = connection.createStatement()) {
      one.execute(statement);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
