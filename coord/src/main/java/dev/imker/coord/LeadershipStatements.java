package dev.imker.coord;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The statements behind leadership in PostgreSQL. Only the database's clock is used. */
final class LeadershipStatements {
  /** Both numbers together identify the advisory lock of the leader. */
  private static final int LOCK_CLASS = 0x494d_4b52;

  private static final int LOCK_NUMBER = 1;

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS leader_lease (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        token TEXT NOT NULL,
        title TEXT NOT NULL,
        renewed_at TIMESTAMPTZ NOT NULL,
        lease_millis BIGINT
      );
      INSERT INTO leader_lease VALUES (1, '', '', clock_timestamp()) ON CONFLICT DO NOTHING;
      CREATE TABLE IF NOT EXISTS leader_candidate (
        place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        token TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        seen_at TIMESTAMPTZ NOT NULL
      );
      """;

  private static final String HAS_LENGTH =
      """
      SELECT 1 FROM pg_attribute
      WHERE attrelid = to_regclass('leader_lease') AND attname = 'lease_millis'
      """;

  private static final String END_HOLDER =
      """
      SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND classid = ? AND objid = ?
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """;

  private static final String PLACE =
      """
      SELECT granted FROM pg_locks
      WHERE locktype = 'advisory' AND classid = ? AND objid = ? AND pid = ?
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """;

  private LeadershipStatements() {}

  /**
   * Makes the tables; several may try at the same time. Tables that are there are not locked: a
   * leader could not renew its lease while somebody who waits for that, such as for the end of a
   * dump, is before it in the queue.
   */
  static void create(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      query(connection, "SELECT pg_advisory_xact_lock(?, ?)", LOCK_CLASS, LOCK_NUMBER + 1);
      update(connection, CREATE);
      if (query(connection, HAS_LENGTH).isEmpty()) { // made by an earlier version
        update(connection, "SET LOCAL lock_timeout = 2000");
        update(connection, "ALTER TABLE leader_lease ADD COLUMN lease_millis BIGINT");
      }
      connection.commit();
    } finally {
      connection.setAutoCommit(true);
    }
  }

  /**
   * Prepares a connection for long idle periods: both sides detect the loss of the other, and
   * firewalls see traffic. Returns the number of its session.
   */
  static int prepare(Connection presence) throws SQLException {
    update(presence, "SET client_connection_check_interval = 1000");
    update(presence, "SET tcp_keepalives_idle = 5");
    update(presence, "SET tcp_keepalives_interval = 2");
    update(presence, "SET tcp_keepalives_count = 3");
    return Integer.parseInt(query(presence, "SELECT pg_backend_pid()").getFirst());
  }

  /** The relation of a session to the lock. */
  enum Place {
    NONE,
    WAITS,
    HOLDS
  }

  static Place place(Connection connection, int session) throws SQLException {
    List<String> granted = query(connection, PLACE, LOCK_CLASS, LOCK_NUMBER, session);
    if (granted.isEmpty()) {
      return Place.NONE;
    }
    return granted.getFirst().startsWith("t") ? Place.HOLDS : Place.WAITS;
  }

  /** Terminates a session and so releases its lock. */
  static void end(Connection connection, int session) throws SQLException {
    query(connection, "SELECT pg_terminate_backend(?)", session);
  }

  /**
   * Waits for the lock. PostgreSQL grants it in the order of requests, and releases it when the
   * connection of the holder ends.
   */
  static void awaitLock(Connection presence) throws SQLException {
    query(presence, "SELECT pg_advisory_lock(?, ?)", LOCK_CLASS, LOCK_NUMBER);
  }

  static boolean tryLock(Connection presence) throws SQLException {
    return query(presence, "SELECT pg_try_advisory_lock(?, ?)", LOCK_CLASS, LOCK_NUMBER)
        .getFirst()
        .startsWith("t");
  }

  /** The holder of the lock takes the lease, whoever had it. */
  static void take(Connection connection, String token, String title, long leaseMillis)
      throws SQLException {
    update(
        connection,
        "UPDATE leader_lease SET token = ?, title = ?, renewed_at = clock_timestamp(),"
            + " lease_millis = ?",
        token,
        title,
        leaseMillis);
    update(connection, "DELETE FROM leader_candidate WHERE token = ?", token);
  }

  /** False if somebody else holds the lease. */
  static boolean renew(Connection connection, String token, long leaseMillis) throws SQLException {
    return update(
            connection,
            "UPDATE leader_lease SET renewed_at = clock_timestamp(), lease_millis = ?"
                + " WHERE token = ?",
            leaseMillis,
            token)
        == 1;
  }

  static void giveBack(Connection connection, String token) throws SQLException {
    update(
        connection,
        "UPDATE leader_lease SET token = '', title = '', lease_millis = NULL WHERE token = ?",
        token);
    update(connection, "DELETE FROM leader_candidate WHERE token = ?", token);
  }

  /**
   * If the lease has expired, terminates the session of the lock's holder. Only one observer does
   * so per lease time, so that the next holder has time to take the lease.
   */
  static boolean endExpired(Connection connection, long leaseMillis) throws SQLException {
    int expired =
        update(
            connection,
            "UPDATE leader_lease SET renewed_at = clock_timestamp(), lease_millis = NULL"
                + " WHERE renewed_at <"
                + " clock_timestamp() - COALESCE(lease_millis, ?) * interval '1 millisecond'",
            leaseMillis);
    if (expired == 1) {
      query(connection, END_HOLDER, LOCK_CLASS, LOCK_NUMBER);
    }
    return expired == 1;
  }

  static void wait(Connection connection, String token, String title, long leaseMillis)
      throws SQLException {
    update(
        connection,
        "INSERT INTO leader_candidate (token, title, seen_at) VALUES (?, ?, clock_timestamp())"
            + " ON CONFLICT (token) DO UPDATE SET seen_at = excluded.seen_at",
        token,
        title);
    update(
        connection,
        "DELETE FROM leader_candidate"
            + " WHERE seen_at < clock_timestamp() - ? * interval '1 millisecond'",
        leaseMillis);
  }

  static Optional<String> leader(Connection connection) throws SQLException {
    return query(connection, "SELECT title FROM leader_lease WHERE token <> ''").stream()
        .findFirst();
  }

  static List<String> successors(Connection connection) throws SQLException {
    return query(connection, "SELECT title FROM leader_candidate ORDER BY place");
  }

  private static int update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  private static List<String> query(Connection connection, String sql, Object... parameters)
      throws SQLException {
    List<String> all = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        all.add(String.valueOf(rows.getString(1)));
      }
    }
    return all;
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
