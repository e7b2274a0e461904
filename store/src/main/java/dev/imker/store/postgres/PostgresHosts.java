package dev.imker.store.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hosts in the address of a PostgreSQL database, among which the one that can currently write
 * is wanted.
 *
 * <p>The driver could choose as well, but all hosts share its time limit: a silent first host,
 * whose machine lost power, leaves no time for the second. Here each host has its own limit. The
 * last correct host is asked first, so that a former one that comes back unaware is not used while
 * its successor is available.
 *
 * <p>When another host becomes the right one, all connections to the former one are closed.
 * Otherwise callers would wait for those of a machine that lost power until their time limits, if
 * any. So all parts of a process share their knowledge of an address.
 */
public final class PostgresHosts {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresHosts.class);
  private static final Pattern WITH_HOSTS = Pattern.compile("(jdbc:postgresql://)([^/?]*)(/.*)");
  private static final String CONNECT_SECONDS = "5";

  /** For a host that accepts connections but is then silent. */
  private static final String LOGIN_SECONDS = "10";

  private static final ConcurrentMap<String, PostgresHosts> KNOWN = new ConcurrentHashMap<>();

  private record Open(Connection connection, int host) {
    boolean isOver() {
      try {
        return connection.isClosed();
      } catch (SQLException e) {
        return true;
      }
    }

    void abort() {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("ending a connection to a former host", e);
      }
    }
  }

  private final List<String> urls;
  private final Set<Open> connections = ConcurrentHashMap.newKeySet();
  private volatile int latest;

  private PostgresHosts(String url) {
    urls = split(url);
  }

  /** The hosts of {@code jdbc:postgresql://host:port,host:port/database?…}. */
  public static PostgresHosts of(String url) {
    return KNOWN.computeIfAbsent(url, PostgresHosts::new);
  }

  private static List<String> split(String url) {
    Matcher parts = WITH_HOSTS.matcher(url);
    if (!parts.matches()) {
      return List.of(url);
    }
    List<String> all = new ArrayList<>();
    for (String host : parts.group(2).split(",", -1)) {
      all.add(parts.group(1) + host + parts.group(3));
    }
    return List.copyOf(all);
  }

  /** Like {@link #connect(String, Duration, Properties)} without further properties. */
  public Connection connect(String application, Duration answerWithin) throws SQLException {
    return connect(application, answerWithin, new Properties());
  }

  /**
   * Connects to the host that can write.
   *
   * @param application name under which the connection is seen in pg_stat_activity
   * @param answerWithin how long any one answer may take; zero for ever
   * @param more of the driver's properties
   */
  public Connection connect(String application, Duration answerWithin, Properties more)
      throws SQLException {
    Properties properties = new Properties();
    properties.putAll(more);
    properties.setProperty("ApplicationName", application);
    properties.setProperty("connectTimeout", CONNECT_SECONDS);
    properties.setProperty("socketTimeout", LOGIN_SECONDS);
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("targetServerType", "primary");
    int first = latest;
    List<SQLException> failures = new ArrayList<>();
    for (int i = 0; i < urls.size(); i++) {
      int host = (first + i) % urls.size();
      try {
        Connection connection = connectTo(urls.get(host), answerWithin, properties);
        if (urls.size() > 1) {
          found(host, connection);
        }
        return connection;
      } catch (SQLException e) {
        failures.add(e);
      }
    }
    throw failure(failures, first);
  }

  private void found(int host, Connection connection) {
    latest = host;
    connections.removeIf(Open::isOver);
    connections.add(new Open(connection, host));
    for (Open open : connections) {
      if (open.host != host) {
        open.abort();
      }
    }
  }

  private static Connection connectTo(String url, Duration answerWithin, Properties properties)
      throws SQLException {
    Connection connection = DriverManager.getConnection(url, properties);
    boolean ready = false;
    try {
      // A limit in the address takes precedence, unless there must be none.
      if (answerWithin.isZero() || !url.contains("socketTimeout=")) {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin.toMillis()));
      }
      ready = true;
      return connection;
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  /** The address with the one host that can write. */
  String primary() throws SQLException {
    connect("imker", Duration.ZERO).close();
    return urls.get(latest);
  }

  /** As long as one host may come back, the failure is temporary. */
  private SQLException failure(List<SQLException> failures, int first) {
    if (failures.size() == 1) {
      return failures.getFirst();
    }
    @Nullable String state = null;
    StringBuilder what = new StringBuilder("No host accepts writes:");
    for (int i = 0; i < failures.size(); i++) {
      SQLException one = failures.get(i);
      String url = urls.get((first + i) % urls.size());
      what.append(i == 0 ? " " : "; ").append(host(url)).append(": ").append(one.getMessage());
      if (state == null || PostgresDatabase.isLost(one)) {
        state = one.getSQLState();
      }
    }
    return new SQLException(what.toString(), state, failures.getLast());
  }

  private static String host(String url) {
    Matcher parts = WITH_HOSTS.matcher(url);
    return parts.matches() ? parts.group(2) : "";
  }
}
