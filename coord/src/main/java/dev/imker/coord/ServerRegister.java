package dev.imker.coord;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The servers running on one PostgreSQL database, each with a row that it renews. A starting server
 * can see with whom it would share the pool before it changes anything. The table is created here
 * and not by a schema migration, because a newer version has to read it before it migrates. Only
 * the database's clock is used.
 */
public final class ServerRegister implements AutoCloseable {
  /** A server that is silent for longer counts as gone. */
  public static final long GONE_AFTER_MILLIS = 10_000;

  private static final int LOCK_CLASS = 0x494d_4b52;
  private static final int LOCK_NUMBER = 3;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(6);

  private static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS pool_server (
        token TEXT PRIMARY KEY,
        urls TEXT NOT NULL,
        version TEXT NOT NULL,
        schema_version INTEGER NOT NULL,
        election TEXT NOT NULL,
        leads BOOLEAN NOT NULL,
        epoch BIGINT NOT NULL,
        drained BOOLEAN NOT NULL,
        started_at TIMESTAMPTZ NOT NULL,
        seen_at TIMESTAMPTZ NOT NULL
      )
      """;

  /** Servers of earlier versions neither write nor read it. */
  private static final String ADD_BEHIND =
      "ALTER TABLE pool_server ADD COLUMN IF NOT EXISTS behind_millis BIGINT";

  private static final String ALL =
      """
      SELECT urls, version, schema_version, election, leads, epoch, drained,
        CAST(EXTRACT(EPOCH FROM started_at) * 1000 AS BIGINT),
        CAST(EXTRACT(EPOCH FROM clock_timestamp() - seen_at) * 1000 AS BIGINT),
        CAST(COALESCE(to_jsonb(pool_server) ->> 'behind_millis', '0') AS BIGINT)
      FROM pool_server ORDER BY leads DESC, started_at, token
      """;

  /**
   * How a server describes itself.
   *
   * @param urls where it can be reached, with commas between them
   * @param election how leadership is decided; servers that differ must not share a pool
   */
  public record Self(String urls, String version, int schemaVersion, String election) {}

  /**
   * A server as seen by others.
   *
   * @param behindMillis for how long a standby has been behind the database
   */
  public record Entry(
      Self self,
      boolean leads,
      long epoch,
      boolean drained,
      long startedMillis,
      long silentMillis,
      long behindMillis) {
    public boolean isRunning() {
      return silentMillis < GONE_AFTER_MILLIS;
    }
  }

  private final DatabaseAccess database;
  private final Self self;
  private final String token = UUID.randomUUID().toString();
  private @Nullable Connection connection;

  public ServerRegister(DatabaseAccess database, Self self) {
    this.database = database;
    this.self = self;
  }

  public Self self() {
    return self;
  }

  /**
   * The servers running on a database, even if this version has never been used on it. Of versions
   * without a register, only the leader by the database is known.
   */
  public static List<Entry> running(DatabaseAccess database) throws SQLException {
    try (Connection connection = database.connect("imker register", ANSWER_WITHIN)) {
      if (exists(connection, "pool_server")) {
        return read(connection).stream().filter(Entry::isRunning).toList();
      }
      return exists(connection, "leader_lease") ? unregistered(connection) : List.of();
    }
  }

  private static List<Entry> unregistered(Connection connection) throws SQLException {
    String sql =
        "SELECT title FROM leader_lease WHERE token <> '' AND renewed_at >"
            + " clock_timestamp() - interval '10 seconds'";
    List<Entry> all = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Self other = new Self(text(rows, 1), "unknown", 0, "database");
        all.add(new Entry(other, true, 0, false, 0, 0, 0));
      }
    }
    return all;
  }

  private static boolean exists(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
      statement.setString(1, table);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() && rows.getBoolean(1);
      }
    }
  }

  /**
   * Registers this server, unless a running server decides leadership in another way: then that
   * server is returned and nothing is written.
   */
  public synchronized Optional<Entry> enter() throws SQLException {
    Connection open = open();
    open.setAutoCommit(false);
    try {
      execute(open, "SELECT pg_advisory_xact_lock(" + LOCK_CLASS + ", " + LOCK_NUMBER + ")");
      execute(open, CREATE);
      execute(open, ADD_BEHIND);
      execute(
          open, "DELETE FROM pool_server WHERE seen_at < clock_timestamp() - interval '1 hour'");
      Optional<Entry> conflict =
          read(open).stream()
              .filter(other -> other.isRunning() && !other.self.election.equals(self.election))
              .findFirst();
      if (conflict.isEmpty()) {
        insert(open);
      }
      open.commit();
      return conflict;
    } catch (SQLException e) {
      open.rollback();
      throw e;
    } finally {
      open.setAutoCommit(true);
    }
  }

  private void insert(Connection open) throws SQLException {
    try (PreparedStatement statement =
        open.prepareStatement(
            "INSERT INTO pool_server VALUES (?, ?, ?, ?, ?, FALSE, 0, FALSE, clock_timestamp(),"
                + " clock_timestamp(), 0) ON CONFLICT DO NOTHING")) {
      statement.setString(1, token);
      statement.setString(2, self.urls);
      statement.setString(3, self.version);
      statement.setInt(4, self.schemaVersion);
      statement.setString(5, self.election);
      statement.executeUpdate();
    }
  }

  /**
   * Renews the row of this server; returns whether it must not lead.
   *
   * @param behindMillis for how long it has been behind the database, if it follows
   */
  public synchronized boolean renew(boolean leads, long epoch, long behindMillis)
      throws SQLException {
    Connection open = open();
    boolean done = false;
    try (PreparedStatement statement =
        open.prepareStatement(
            "UPDATE pool_server SET seen_at = clock_timestamp(), leads = ?, epoch = ?,"
                + " behind_millis = ? WHERE token = ? RETURNING drained")) {
      statement.setBoolean(1, leads);
      statement.setLong(2, epoch);
      statement.setLong(3, behindMillis);
      statement.setString(4, token);
      boolean drained = false;
      boolean known;
      try (ResultSet rows = statement.executeQuery()) {
        known = rows.next();
        drained = known && rows.getBoolean(1);
      }
      if (!known) { // it was stopped for so long that the row was removed
        insert(open);
      }
      done = true;
      return drained;
    } finally {
      if (!done) {
        drop();
      }
    }
  }

  /** All known servers, the leader first. */
  public synchronized List<Entry> all() throws SQLException {
    Connection open = open();
    boolean done = false;
    try {
      List<Entry> all = read(open);
      done = true;
      return all;
    } finally {
      if (!done) {
        drop();
      }
    }
  }

  /**
   * Excludes a server from leadership, or includes it again; false if there is none at that
   * address.
   */
  public synchronized boolean drain(String url, boolean drained) throws SQLException {
    try (PreparedStatement statement =
        open()
            .prepareStatement(
                "UPDATE pool_server SET drained = ? WHERE ? = ANY (string_to_array(urls, ','))"
                    + " AND seen_at > clock_timestamp() - interval '10 seconds'")) {
      statement.setBoolean(1, drained);
      statement.setString(2, url);
      return statement.executeUpdate() > 0;
    }
  }

  private static List<Entry> read(Connection connection) throws SQLException {
    List<Entry> all = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(ALL);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Self other = new Self(text(rows, 1), text(rows, 2), rows.getInt(3), text(rows, 4));
        all.add(
            new Entry(
                other,
                rows.getBoolean(5),
                rows.getLong(6),
                rows.getBoolean(7),
                rows.getLong(8),
                rows.getLong(9),
                rows.getLong(10)));
      }
    }
    return all;
  }

  private static String text(ResultSet rows, int column) throws SQLException {
    return String.valueOf(rows.getString(column));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null || open.isClosed()) {
      open = database.connect("imker register", ANSWER_WITHIN);
      connection = open;
    }
    return open;
  }

  private void drop() throws SQLException {
    Connection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  /** Removes the row if the database is available. */
  @Override
  public synchronized void close() throws SQLException {
    try {
      try (PreparedStatement statement =
          open().prepareStatement("DELETE FROM pool_server WHERE token = ?")) {
        statement.setString(1, token);
        statement.executeUpdate();
      }
    } finally {
      drop();
    }
  }
}
