package dev.imker.testdb;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Two PostgreSQL servers: one that can write, and a replica without which it commits nothing, until
 * that is promoted.
 */
public final class ReplicatedPostgres implements AutoCloseable {
  private static final String DATABASE = "imker";
  private static final String REPLICA = "replica";
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final PostgresProcess primary;
  private final PostgresProcess replica;

  private ReplicatedPostgres(PostgresProcess primary, PostgresProcess replica) {
    this.primary = primary;
    this.replica = replica;
  }

  /** Starts both in an empty folder; on return, commits wait for the replica. */
  public static ReplicatedPostgres start(Path folder) {
    try {
      Path first = folder.resolve("primary");
      Path second = folder.resolve(REPLICA);
      Path binary = make(first);
      copy(first, second);
      PostgresProcess primary = new PostgresProcess(binary, first);
      PostgresProcess replica = new PostgresProcess(binary, second);
      set(first, "synchronous_standby_names", REPLICA);
      Files.createFile(second.resolve("standby.signal"));
      set(
          second,
          "primary_conninfo",
          "host=127.0.0.1 port=%d user=postgres application_name=%s"
              .formatted(primary.port(), REPLICA));
      ReplicatedPostgres both = new ReplicatedPostgres(primary, replica);
      boolean started = false;
      try {
        primary.start();
        replica.start();
        both.awaitSynchronous();
        started = true;
      } finally {
        if (!started) {
          both.close();
        }
      }
      return both;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a database that does not run, and says where the program for it is. */
  private static Path make(Path data) throws IOException {
    Path binary;
    try (EmbeddedPostgres once =
        TestPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false).start()) {
      TestPostgres.execute(once.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + DATABASE);
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
      binary = Path.of("/proc", pid, "exe").toRealPath();
    }
    Files.writeString(
        data.resolve("pg_hba.conf"),
        "host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n");
    return binary;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        // The folder comes before its content, and with its permissions: others may not read it.
        Files.copy(
            path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void set(Path data, String name, String value) throws IOException {
    Files.writeString(
        data.resolve("postgresql.auto.conf"),
        name + " = '" + value + "'\n",
        StandardOpenOption.APPEND);
  }

  /** The address of an empty database, with both hosts, of which the first one is the replica. */
  public String url() {
    return "jdbc:postgresql://%s,%s/%s?user=postgres"
        .formatted(replica.address(), primary.address(), DATABASE);
  }

  /** The one that can write as long as the replica is not promoted. */
  public PostgresProcess primary() {
    return primary;
  }

  public PostgresProcess replica() {
    return replica;
  }

  /** Commits return from now on whether or not the replica has them. */
  public void makeAsynchronous() {
    TestPostgres.execute(primaryUrl(), "ALTER SYSTEM SET synchronous_standby_names = ''");
    TestPostgres.execute(primaryUrl(), "SELECT pg_reload_conf()");
    awaitOne(
        "SELECT count(*) FROM pg_settings WHERE name = 'synchronous_standby_names'"
            + " AND setting = ''");
  }

  /** The replica can write when this returns. */
  public void promote() {
    TestPostgres.execute(replica.url(DATABASE), "SELECT pg_promote(true, 120)");
  }

  /** Whether the connection of an application waits for the replica to have what it commits. */
  public boolean waitsForReplica(String application) {
    return one(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            + " AND application_name = '"
            + application
            + "'");
  }

  private void awaitSynchronous() {
    awaitOne("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'");
  }

  private void awaitOne(String count) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!one(count)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not within two minutes: " + count);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** False as well while the primary does not answer. */
  private boolean one(String count) {
    try (Connection connection = DriverManager.getConnection(primaryUrl());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(count)) {
      return row.next() && row.getInt(1) == 1;
    } catch (SQLException e) {
      return false;
    }
  }

  private String primaryUrl() {
    return primary.url(DATABASE);
  }

  @Override
  public void close() {
    replica.close();
    primary.close();
  }
}
