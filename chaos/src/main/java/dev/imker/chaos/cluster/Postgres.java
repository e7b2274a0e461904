package dev.imker.chaos.cluster;

import dev.imker.testdb.TestPostgres;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL server as a process of its own, with binaries from a Maven artifact. */
final class Postgres {
  private static final String DATABASE = "imker";
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=*",
          "unix_socket_directories=",
          "max_connections=200",
          "shared_buffers=64MB",
          "max_wal_size=128MB",
          "min_wal_size=32MB",
          "log_min_messages=warning",
          "log_min_error_statement=panic");

  private final Path data;
  private final Path binary;
  private final String address;
  private final int port;

  private Postgres(Path data, Path binary, String address, int port) {
    this.data = data;
    this.binary = binary;
    this.address = address;
    this.port = port;
  }

  /** Makes an empty database in a folder; it does not run yet. */
  static Postgres make(Path data, String address, int port) {
    try {
      Path binary;
      try (EmbeddedPostgres first =
          TestPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).start()) {
        TestPostgres.execute(
            first.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + DATABASE);
        binary = binaryOf(data);
      }
      Files.writeString(data.resolve("pg_hba.conf"), "host all all 0.0.0.0/0 trust\n");
      return new Postgres(data, binary, address, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path binaryOf(Path data) throws IOException {
    String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
    return Path.of("/proc", pid, "exe").toRealPath();
  }

  List<String> command() {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U")); // it refuses to run as root
    }
    command.addAll(List.of(binary.toString(), "-D", data.toString(), "-p", Integer.toString(port)));
    SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    return command;
  }

  /** The address of the database, with a query. */
  String url() {
    return "jdbc:postgresql://%s:%d/%s?user=postgres&connectTimeout=5&socketTimeout=20"
        .formatted(address, port, DATABASE);
  }

  /** For servers, which have time-outs of their own. */
  String plainUrl() {
    return "jdbc:postgresql://%s:%d/%s?user=postgres".formatted(address, port, DATABASE);
  }

  boolean answers() {
    try (Connection connection = DriverManager.getConnection(url())) {
      return connection.isValid(5);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Whether a server has begun to lead. */
  boolean hasEpoch() {
    try (Connection connection = DriverManager.getConnection(url());
        var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT epoch FROM pool")) {
      return row.next() && row.getLong(1) > 0;
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Starts it, again and again if need be: while processes of a killed one are still going, the
   * next does not start.
   */
  void start(Member member) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!answers()) {
      if (System.nanoTime() > deadline) {
        throw new ChaosException("the database does not start; see " + member.life() + ".err");
      }
      member.start();
      Pause.millis(100);
    }
  }
}
