package dev.imker.testdb;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server as processes that can be killed, and started again on the same port. */
public final class PostgresProcess implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final List<String> SETTINGS =
      List.of(
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "max_connections=200", // a replica may not allow less than the database it is a copy of
          "shared_buffers=64MB",
          "fsync=off", // what a killed process has written is there
          "wal_retrieve_retry_interval=200ms");

  private final Path binary;
  private final Path data;
  private final int port;
  private @Nullable Process process;

  /**
   * @param binary the program postgres
   * @param data folder of a database that does not run
   */
  PostgresProcess(Path binary, Path data) throws IOException {
    this.binary = binary;
    this.data = data;
    this.port = freePort();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Host and port. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  /** The address of a database on this server alone. */
  public String url(String database) {
    return "jdbc:postgresql://" + address() + "/" + database + "?user=postgres";
  }

  /** Starts it; on return it answers. */
  public void start() {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!answers()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the database does not start: " + said());
      }
      // One whose predecessor is not gone completely ends at once.
      if (process == null || !process.isAlive()) {
        process = run();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private Process run() {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U")); // it refuses to run as root
    }
    command.addAll(List.of(binary.toString(), "-D", data.toString(), "-p", Integer.toString(port)));
    SETTINGS.forEach(setting -> command.addAll(List.of("-c", setting)));
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private File log() {
    return data.resolveSibling(data.getFileName() + ".log").toFile();
  }

  private String said() {
    try {
      return Files.readString(log().toPath());
    } catch (IOException e) {
      return "it said nothing";
    }
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url("postgres"))) {
      return connection.isValid(5);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Ends all its processes at once, as {@code kill -9} does. */
  public void kill() {
    Process running = process;
    if (running != null) {
      List<ProcessHandle> others = running.descendants().toList();
      running.destroyForcibly();
      others.forEach(ProcessHandle::destroyForcibly);
      awaitEnd(running);
    }
  }

  /**
   * Stops all its processes where they are: connections stay open, and nobody answers. They can
   * only be killed afterwards.
   */
  public void freeze() {
    Process running = Objects.requireNonNull(process, "not started");
    // The first one first, so that it starts no others.
    stop(running.toHandle());
    running.descendants().forEach(PostgresProcess::stop);
  }

  private static void stop(ProcessHandle one) {
    try {
      // One that is gone meanwhile needs no signal.
      awaitEnd(new ProcessBuilder("kill", "-STOP", Long.toString(one.pid())).inheritIO().start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitEnd(Process process) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a database ends", e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
