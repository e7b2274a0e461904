package dev.imker.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.model.account.Account;
import dev.imker.model.change.NodeProfiled;
import dev.imker.store.JobRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.PostgresDatabases;
import dev.imker.store.Recovered;
import dev.imker.store.Samples;
import dev.imker.store.internal.rows.JsonColumns;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.postgres.PostgresSchema;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pool of any former version of the schema comes up to date with all it has. */
@ExpectedLogs("Upgrading the schema of")
class SchemaUpgradeTest {
  /** From this version on, specifications have a table of their own. */
  private static final int SPECS_APART = 6;

  /** From this version on, trust and libraries are not settings. */
  private static final int TABLES_OF_THEIR_OWN = 11;

  /** From this version on there are accounts. */
  private static final int ACCOUNTS = 5;

  private static final long FIRST_TASK = 1L << 24;

  private static final String JOB =
      "id, project, pool_user, name, kind, task_count, priority, status, waiting, ready, running,"
          + " done, failed, blocked, auto_blocked, cancelled, submitted_at, settled_at,"
          + " request_key, command";
  private static final String VALUES =
      "1, 1, 1, 'old', 0, 3, 4, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, -1, 'key', '[]'";

  @TempDir Path folder;

  static Stream<Integer> formerVersions() {
    return Arrays.stream(
            Flyway.configure()
                .dataSource("jdbc:sqlite::memory:", null, null)
                .locations(SqliteSchema.LOCATION)
                .load()
                .info()
                .all())
        .map(migration -> Integer.valueOf(migration.getVersion().getVersion()))
        .filter(version -> version < SqliteSchema.VERSION);
  }

  @ParameterizedTest
  @MethodSource("formerVersions")
  void sqlite_is_brought_up_to_date_from(int version) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve(SqliteStore.FILE_NAME);
    makePool(url, SqliteSchema.LOCATION, version);
    try (PoolStore store = SqliteStore.open(folder)) {
      store.beginEpoch();
      expectPool(store);
      expectAccount(store, version);
    }
    assertThat(folder.resolve(SqliteStore.FILE_NAME + ".schema-" + version)).isNotEmptyFile();
  }

  @ParameterizedTest
  @MethodSource("formerVersions")
  void postgresql_is_brought_up_to_date_from(int version) throws SQLException {
    String url = TestPostgres.freshDatabase();
    makePool(url, PostgresSchema.LOCATION, version);
    try (PoolStore store = PostgresDatabases.lead(url)) {
      expectPool(store);
      expectAccount(store, version);
    }
  }

  private static void expectAccount(PoolStore store, int version) {
    if (version >= ACCOUNTS) {
      Account eva = store.accounts().accounts().getFirst();
      assertThat(eva.name()).isEqualTo("eva");
      assertThat(eva.passwordHash()).isEqualTo("hash");
    }
  }

  private static void makePool(String url, String location, int version) throws SQLException {
    Flyway.configure()
        .dataSource(url, null, null)
        .locations(location)
        .table(SqliteSchema.HISTORY)
        .target(Integer.toString(version))
        .load()
        .migrate();
    String json = JsonColumns.spec(Samples.spec("old", 3));
    String spec = "'" + json.replace("\"speculative\"", "\"redundant\"") + "'";
    boolean apart = version >= SPECS_APART;
    try (Connection connection = DriverManager.getConnection(url)) {
      Rows.update(connection, "UPDATE pool SET epoch = 7");
      Rows.update(connection, "INSERT INTO setting (name, value) VALUES ('strategy', 'survival')");
      if (version >= TABLES_OF_THEIR_OWN) {
        Rows.update(connection, "INSERT INTO node_trust (node, trust) VALUES ('n1', '3 ab')");
        Rows.update(
            connection,
            "INSERT INTO library (name, version) VALUES ('eva/a/1', '{\"user\":\"eva\"}')");
      } else {
        Rows.update(
            connection,
            "INSERT INTO setting (name, value) VALUES ('trust/n1', '3 ab'), ('trust/n2', '')");
        Rows.update(
            connection,
            "INSERT INTO setting (name, value) VALUES ('libraries',"
                + " '[{\"user\":\"eva\",\"name\":\"a\",\"version\":\"1\"}]')");
      }
      Rows.update(connection, "INSERT INTO pool_user (id, name) VALUES (1, 'eva')");
      Rows.update(connection, "INSERT INTO project (id, pool_user, name) VALUES (1, 1, 'default')");
      String columns = apart ? JOB : JOB + ", spec";
      String values = apart ? VALUES : VALUES + ", " + spec;
      Rows.update(connection, "INSERT INTO job (" + columns + ") VALUES (" + values + ")");
      if (apart) {
        Rows.update(connection, "INSERT INTO job_spec (job, spec) VALUES (1, " + spec + ")");
      }
      makeWork(connection);
      if (version >= ACCOUNTS) {
        Rows.update(
            connection,
            "INSERT INTO account (name, role, password_hash, disabled, stamp, quota_tasks,"
                + " quota_bytes, quota_slots, created_at)"
                + " VALUES ('eva', 'USER', 'hash', 0, 1, -1, -1, 8, 1)");
      }
    }
  }

  /** A machine, a task that is done, and one that runs at its second attempt. */
  private static void makeWork(Connection connection) throws SQLException {
    Rows.update(connection, "INSERT INTO node (name) VALUES ('node-x')");
    Rows.update(
        connection,
        "INSERT INTO agent (name, node, title, version, platform, slots, connected,"
            + " seen_at) VALUES ('agent-x', 1, 'x', '0.1', '"
            + JsonColumns.platform(Samples.platform())
            + "', 4, 1, 5)");
    String task =
        "INSERT INTO task (id, state, failures, losses, attempts, changed_at, token, number, agent,"
            + " node, leased_at, outcome, exit_code, started_at, ended_at) VALUES (";
    Rows.update(connection, task + FIRST_TASK + ", 3, 0, 0, 1, 9, 1, 1, 1, 1, 2, 0, 0, 3, 9)");
    Rows.update(
        connection,
        task + (FIRST_TASK + 1) + ", 2, 1, 0, 2, 9, 3, 2, 1, 1, 8, NULL, NULL, NULL, NULL)");
    Rows.update(
        connection,
        "INSERT INTO attempt (task, token, number, agent, node, leased_at, outcome, exit_code,"
            + " started_at, ended_at) VALUES ("
            + (FIRST_TASK + 1)
            + ", 2, 1, 1, 1, 2, 1, 17, 3, 7)");
  }

  private static void expectPool(PoolStore store) {
    assertThat(store.settings("trust/")).containsExactly(Map.entry("trust/n1", "3 ab"));
    assertThat(store.setting("library/eva/a/1").orElseThrow()).contains("eva");
    assertThat(store.setting("libraries")).isEmpty();
    store.commit(List.of(new NodeProfiled(Samples.NODE, "{}")));
    Recovered recovered = Recovered.of(store);
    assertThat(recovered.jobs).hasSize(1);
    assertThat(recovered.nodeProfiles).containsEntry(Samples.NODE, "{}");
    assertThat(store.epoch()).isGreaterThan(7);
    assertThat(store.setting("strategy")).contains("survival");
    JobRecord job = store.reads().job(new JobId(1)).orElseThrow();
    assertThat(job.name()).isEqualTo("old");
    assertThat(store.reads().spec(new JobId(1))).contains(Samples.spec("old", 3));
    assertThat(job.project().user()).isEqualTo("eva");
    assertThat(recovered.tasks.values().stream().map(Recovered.Task::state))
        .containsExactly(TaskState.DONE, TaskState.RUNNING);
    Recovered.Held running = recovered.leases.getFirst();
    assertThat(running.agent()).isEqualTo(new AgentId("agent-x"));
    assertThat(running.node()).isEqualTo(new NodeId("node-x"));
    assertThat(running.attempt()).isEqualTo(2);
    assertThat(running.lease().token().value()).isEqualTo(3);
    assertThat(store.reads().nodes()).extracting(NodeRecord::id).contains(new NodeId("node-x"));
  }
}
