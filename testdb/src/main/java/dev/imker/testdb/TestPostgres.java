package dev.imker.testdb;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The PostgreSQL server of this test JVM, started when it is first asked for and stopped when the
 * JVM ends. Every test gets a database of its own.
 */
public final class TestPostgres {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private TestPostgres() {}

  private static final class Holder {
    static final EmbeddedPostgres SERVER = start();
  }

  /** A server for those who want to stop it; to be closed. */
  public static EmbeddedPostgres start() {
    try {
      return builder().start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For those who want a server that is different. */
  public static EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder()
        .setPGStartupWait(PATIENCE)
        .setServerConfig("max_connections", "200")
        .setServerConfig("shared_buffers", "64MB")
        .setServerConfig("fsync", "off"); // what a killed process has written is there
  }

  /** The address of a new, empty database. */
  public static String freshDatabase() {
    return freshDatabase(Holder.SERVER);
  }

  public static String freshDatabase(EmbeddedPostgres server) {
    String name = "test" + NUMBER.incrementAndGet();
    execute(server.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + name);
    return server.getJdbcUrl("postgres", name);
  }

  /** Runs one statement in a database. */
  public static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot run: " + sql, e);
    }
  }
}
