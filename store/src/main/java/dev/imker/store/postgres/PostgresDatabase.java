package dev.imker.store.postgres;

import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Database;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.SqlWork;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens connections to a PostgreSQL database and knows what its errors mean. */
public final class PostgresDatabase implements Database {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);

  /** The name under which the connection that writes is seen in pg_stat_activity. */
  static final String WRITER_NAME = "imker writer";

  private static final Pattern ADDRESS =
      Pattern.compile("jdbc:postgresql:(//[^/?]*/)?[^/?]+(\\?.*)?");
  private static final String DISK_FULL = "53100";

  /** Longer than any statement takes, so that only a dead network is meant. */
  static final Duration ANSWER_WITHIN = Duration.ofMinutes(2);

  private static final String ROWS_PER_FETCH = "2000";

  /** A server that hangs in the middle of a transaction does not delay its successor. */
  private static final int IDLE_TRANSACTION_MILLIS = 5000;

  private final String url;
  private final PostgresHosts hosts;

  /**
   * @throws StoreException if that is not the address of a PostgreSQL database
   */
  public PostgresDatabase(String url) {
    check(url);
    this.url = url;
    this.hosts = PostgresHosts.of(url);
  }

  /**
   * @throws StoreException if that is not the address of a PostgreSQL database
   */
  public static void check(String url) {
    if (!ADDRESS.matcher(url).matches()) {
      throw new StoreException(
          "\""
              + withoutSecrets(url)
              + "\" is not a database address; write"
              + " jdbc:postgresql://host:5432/database?user=imker&password=…");
    }
  }

  /** For people: the address without user and password. */
  public String title() {
    return withoutSecrets(url);
  }

  public static String withoutSecrets(String url) {
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }

  Connection openWriter() throws SQLException {
    return open(
        WRITER_NAME,
        c -> {
          keepWaiting(c);
          Rows.update(c, "SET idle_in_transaction_session_timeout = " + IDLE_TRANSACTION_MILLIS);
          c.setAutoCommit(false);
          return c;
        });
  }

  @Override
  public Connection openReader() throws SQLException {
    return open(
        "imker reader",
        c -> {
          c.setReadOnly(true);
          // For reading the state in several statements while another server writes.
          c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          // Without it, the driver would hold whole answers in memory.
          c.setAutoCommit(false);
          return c;
        });
  }

  /** A connection for small independent statements, each of them a transaction. */
  public Connection openPlain() throws SQLException {
    return open(
        "imker",
        c -> {
          keepWaiting(c);
          return c;
        });
  }

  /** A connection for large batches of rows. */
  public Connection openImport() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("reWriteBatchedInserts", "true");
    return hosts.connect("imker", Duration.ZERO, properties);
  }

  /**
   * A commit that waits for a replica and is cancelled, by a limit configured for all statements,
   * would be reported as done although the replica may lack it.
   */
  private static void keepWaiting(Connection c) throws SQLException {
    Rows.update(c, "SET statement_timeout = 0");
  }

  private Connection open(String application, SqlWork<Connection> setUp) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("defaultRowFetchSize", ROWS_PER_FETCH);
    Connection connection = hosts.connect(application, ANSWER_WITHIN, properties);
    boolean ready = false;
    try {
      Connection usable = setUp.run(connection);
      ready = true;
      return usable;
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  /** Closes a connection that may be lost already. */
  static void closeLost(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        LOG.debug("closing a lost connection", e);
      }
    }
  }

  /** With user, password and the host that can write, for callers that connect by themselves. */
  String primaryUrl() throws SQLException {
    return hosts.primary();
  }

  @Override
  public boolean isGone(SQLException error) {
    return isLost(error);
  }

  /** Whether it cannot be reached, or cannot write until its disk has room again. */
  static boolean isAway(SQLException error) {
    return isLost(error) || DISK_FULL.equals(error.getSQLState());
  }

  static boolean isLost(SQLException error) {
    String state = error.getSQLState();
    if (state == null) {
      return error.getCause() instanceof IOException;
    }
    // 08: connection; 57P: the server stops, crashed or starts; 25006: a replica now.
    return state.startsWith("08")
        || state.startsWith("57P")
        || state.equals("25006")
        || state.equals("53300");
  }

  /** Whether the same transaction may succeed on a retry. */
  boolean isPassing(SQLException error) {
    String state = error.getSQLState();
    return isGone(error) || "40001".equals(state) || "40P01".equals(state);
  }

  @Override
  public StoreException explain(String doing, SQLException error) {
    String what = "The database " + title() + " could not " + doing + ": " + error.getMessage();
    if (isGone(error)) {
      return new StoreException(
          what + " Nothing was lost; servers continue automatically when it is reachable again.",
          error);
    }
    return DISK_FULL.equals(error.getSQLState())
        ? new StoreException(what + " Free some space on its disk; nothing was lost.", error)
        : new StoreException(what, error);
  }
}
