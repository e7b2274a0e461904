package dev.imker.chaos.check;

import dev.imker.chaos.check.PoolWrites.EpochBegun;
import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.PoolWrites.Write;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.server.loop.SpawnKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Triggers that make the database of a pool write down who writes what. Servers know nothing of
 * them; their only part is that the address of the database they are given ends with {@link
 * #signature}.
 *
 * @param url of the database of a pool, for its owner
 */
public record WriteAudit(String url) {
  /** Name of jobs that only have to be there, and are looked at by nobody. */
  public static final String IDLE = "idle";

  /** Name of jobs that are exported, imported and removed again. */
  public static final String GOING = "going";

  /** SQLITE_OPEN_READWRITE, without the flag that creates. */
  private static final String OPEN_ONLY = "2";

  private static final String SQLITE = "jdbc:sqlite:";
  private static final String SCRIPT = "/dev/imker/chaos/write-audit.sql";
  private static final String SQLITE_SCRIPT = "/dev/imker/chaos/write-audit-sqlite.sql";
  private static final int POSITION_BITS = 24;
  private static final List<String> JOB_STATUS = List.of("LIVE", "DONE", "FAILED", "CANCELLED");

  /** What to append to an address of the database that has a query, for one life of a server. */
  public static String signature(String server) {
    return "&options=-c%20chaos.server=" + server;
  }

  /**
   * Begins to write down; the tables of the pool must be there.
   *
   * @param leader the server that leads already, if one does
   */
  public void install(Optional<String> leader) throws SQLException {
    boolean oneServer = url.startsWith(SQLITE);
    try (Connection connection = connect();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      if (oneServer) {
        for (String part : script(SQLITE_SCRIPT).split(";;", -1)) {
          if (!part.isBlank()) {
            statement.execute(part);
          }
        }
      } else {
        statement.execute(script(SCRIPT));
      }
      if (leader.isPresent()) {
        statement.execute(
            oneServer
                ? "INSERT INTO chaos_epoch SELECT 0, 0, 's1', epoch FROM pool"
                : "INSERT INTO chaos_epoch SELECT nextval('chaos_order'), clock_timestamp(), '"
                    + leader.get()
                    + "', epoch FROM pool");
      }
      connection.commit();
    }
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    if (url.startsWith(SQLITE)) {
      properties.setProperty("busy_timeout", "20000");
      properties.setProperty("open_mode", OPEN_ONLY); // it may be gone while a backup is restored
      properties.setProperty("transaction_mode", "IMMEDIATE");
    }
    return DriverManager.getConnection(url, properties);
  }

  /** Ends all sessions of a machine, as the database sees them. */
  public void endSessions(String address) throws SQLException {
    list(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_addr = '"
            + address
            + "'",
        row -> row.getBoolean(1));
  }

  /** The server that began the newest epoch. */
  public Optional<EpochBegun> leader() throws SQLException {
    List<EpochBegun> newest =
        list("SELECT " + epochColumns() + " FROM chaos_epoch ORDER BY n DESC LIMIT 1", EPOCH);
    return newest.stream().findFirst();
  }

  /** Whether anything was handed out in an epoch. */
  public boolean hasDispatched(EpochBegun epoch) throws SQLException {
    return list(
            "SELECT EXISTS (SELECT 1 FROM chaos_task WHERE n > %d AND token >= %d)"
                .formatted(epoch.order(), LeaseToken.of(epoch.epoch(), 0).value()),
            row -> row.getBoolean(1))
        .getFirst();
  }

  /** Jobs that are not settled, and tasks that have a result. */
  public Progress progress() throws SQLException {
    return list(
            "SELECT (SELECT count(*) FROM job WHERE status = 0 AND name <> '"
                + IDLE
                + "'), (SELECT count(*) FROM chaos_task)",
            row -> new Progress(row.getInt(1), row.getLong(2)))
        .getFirst();
  }

  /** How many results were written. */
  public long results() throws SQLException {
    return list(
            "SELECT count(*) FROM chaos_task WHERE state = 3 AND (before IS NULL OR before <> 3)",
            row -> row.getLong(1))
        .getFirst();
  }

  /** How far the pool has come. */
  public record Progress(int liveJobs, long taskWrites) {}

  /** All jobs of the pool, as its tables have them, without idle ones and those that go again. */
  public List<FinalJob> jobs() throws SQLException {
    return list(
        "SELECT id, name, status, task_count, request_key FROM job WHERE name NOT IN ('%s', '%s') ORDER BY id"
            .formatted(IDLE, GOING),
        row ->
            new FinalJob(
                new JobId(row.getLong(1)),
                row.getString(2),
                JOB_STATUS.get(row.getInt(3)),
                row.getInt(4),
                Optional.ofNullable(row.getString(5))
                    .flatMap(SpawnKey::parse)
                    .map(SpawnKey::parent)));
  }

  public PoolWrites read() throws SQLException {
    return new PoolWrites(
        list("SELECT " + epochColumns() + " FROM chaos_epoch ORDER BY n", EPOCH),
        list(
            "SELECT n, server, relation FROM chaos_write ORDER BY n",
            row -> new Write(row.getLong(1), row.getString(2), row.getString(3))),
        list(
            "SELECT n, "
                + millis()
                + ", server, task, before, state, token, number FROM chaos_task ORDER BY n",
            WriteAudit::taskWrite),
        list(
                "SELECT epoch, incarnation FROM term",
                row -> Map.entry(row.getLong(1), row.getLong(2)))
            .stream()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private String millis() {
    return url.startsWith(SQLITE) ? "at" : "extract(epoch FROM at) * 1000";
  }

  private String epochColumns() {
    return "n, " + millis() + ", server, epoch";
  }

  private static final RowReader<EpochBegun> EPOCH =
      row -> new EpochBegun(row.getLong(1), row.getLong(2), row.getString(3), row.getLong(4));

  private static TaskWrite taskWrite(ResultSet row) throws SQLException {
    long key = row.getLong(4);
    TaskId task =
        new TaskId(new JobId(key >> POSITION_BITS), (int) (key & ((1 << POSITION_BITS) - 1)));
    int before = row.getInt(5);
    Optional<TaskState> was =
        row.wasNull() ? Optional.empty() : Optional.of(TaskState.values()[before]);
    return new TaskWrite(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        task,
        was,
        TaskState.values()[row.getInt(6)],
        new LeaseToken(row.getLong(7)),
        row.getInt(8));
  }

  @FunctionalInterface
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> list(String query, RowReader<T> reader) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (Connection connection = connect();
        var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        rows.add(reader.read(row));
      }
    }
    return rows;
  }

  private static String script(String name) {
    try (InputStream in = WriteAudit.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
