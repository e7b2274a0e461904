package dev.imker.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.TaskChanged;
import dev.imker.store.CommittingProcess;
import dev.imker.store.PoolStore;
import dev.imker.store.Recovered;
import dev.imker.store.Samples;
import dev.imker.store.StoreBrokenException;
import dev.imker.store.StoreException;
import dev.imker.store.TaskQuery;
import dev.imker.store.internal.rows.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data folder of the SQLite store: who may open it, and what may be wrong with it. */
class SqliteFolderTest {
  @TempDir Path folder;

  @Test
  void folder_is_created_with_its_parents() {
    Path deep = folder.resolve("a/b/c");
    SqliteStore.open(deep).close();
    assertThat(deep.resolve("imker.db")).isRegularFile();
  }

  @Test
  void second_store_of_a_process_is_refused() {
    try (PoolStore first = SqliteStore.open(folder)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> SqliteStore.open(folder))
            .isInstanceOf(FolderInUseException.class)
            .hasMessageContaining(folder.toString())
            .hasMessageContaining("process " + ProcessHandle.current().pid());
      }
      first.putSetting("still", "works");
    }
    SqliteStore.open(folder).close();
  }

  @Test
  void store_of_another_process_is_refused_until_it_dies() throws Exception {
    try (CommittingProcess other = CommittingProcess.start(folder, 1)) {
      other.awaitAcknowledged(1);
      assertThatThrownBy(() -> SqliteStore.open(folder))
          .isInstanceOf(FolderInUseException.class)
          .hasMessageContaining("process " + other.pid());
      other.kill();
    }
    SqliteStore.open(folder).close();
  }

  @Test
  void database_of_a_newer_version_is_left_alone() throws SQLException {
    SqliteStore.open(folder).close();
    sql(
        "INSERT INTO schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success)"
            + " VALUES (99, '999', 'future', 'SQL', 'V999__future.sql', '', 0, 1)");
    assertThatThrownBy(() -> SqliteStore.open(folder))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("schema version 999")
        .hasMessageContaining("supports " + SqliteSchema.VERSION + " at most");
    sql("DELETE FROM schema_history WHERE version = '999'");
    SqliteStore.open(folder).close();
  }

  @Test
  void known_version_is_that_of_the_newest_migration() {
    MigrationInfo[] all =
        Flyway.configure()
            .dataSource("jdbc:sqlite:" + folder.resolve("empty.db"), null, null)
            .locations(SqliteSchema.LOCATION)
            .load()
            .info()
            .all();
    assertThat(all[all.length - 1].getVersion().getVersion())
        .isEqualTo(Integer.toString(SqliteSchema.VERSION));
  }

  @Test
  void file_that_is_no_database_is_named() throws IOException {
    Files.writeString(folder.resolve("imker.db"), "not a database at all ".repeat(500));
    assertThatThrownBy(() -> SqliteStore.open(folder))
        .isInstanceOf(StoreBrokenException.class)
        .hasMessageContaining("imker.db");
    Files.delete(folder.resolve("imker.db"));
    SqliteStore.open(folder).close();
  }

  @Test
  void file_in_place_of_the_folder_is_named() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> SqliteStore.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file + " is in the way");
  }

  @Test
  void full_disk_refuses_a_commit_and_allows_the_next() {
    try (PoolStore store = SqliteStore.open(folder, 128)) {
      store.commit(List.of(Samples.job(1, "a", 100_000)));
      List<Change> tooMuch = new ArrayList<>();
      for (int i = 0; i < 50_000; i++) {
        tooMuch.add(new TaskChanged(TaskId.of(1, i), TaskState.BLOCKED, 0, 0, 1));
      }
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> store.commit(tooMuch))
            .isInstanceOf(StoreException.class)
            .isNotInstanceOf(StoreBrokenException.class)
            .hasMessageContaining("no space left");
        assertThat(store.reads().tasks(TaskQuery.all(new JobId(1)))).hasSize(i);
        store.commit(tooMuch.subList(i, i + 1));
      }
    }
    try (PoolStore store = SqliteStore.open(folder)) {
      assertThat(Recovered.of(store).tasks).hasSize(3);
    }
  }

  @Test
  void specification_of_a_newer_version_is_read_as_far_as_known() throws SQLException {
    try (PoolStore store = SqliteStore.open(folder)) {
      store.commit(List.of(new JobAdded(new JobId(1), "eva", Samples.richSpec(), 15, 1, "")));
    }
    sql("UPDATE job_spec SET spec = json_set(spec, '$.colour', 'red', '$.needs.mood', 3)");
    try (PoolStore store = SqliteStore.open(folder)) {
      assertThat(store.reads().spec(new JobId(1))).contains(Samples.richSpec());
    }
  }

  @Test
  void specification_of_an_older_version_gets_defaults() throws SQLException {
    try (PoolStore store = SqliteStore.open(folder)) {
      store.commit(List.of(Samples.job(1, "a", 3)));
    }
    sql("UPDATE job_spec SET spec = json_remove(spec, '$.env', '$.needs', '$.maxFailures')");
    try (PoolStore store = SqliteStore.open(folder)) {
      assertThat(store.reads().spec(new JobId(1))).contains(Samples.spec("a", 3));
    }
  }

  @Test
  void closed_store_says_so() {
    PoolStore store = SqliteStore.open(folder);
    store.close();
    assertThatThrownBy(() -> store.reads().nodes())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> store.putSetting("a", "b")).isInstanceOf(StoreException.class);
  }

  private void sql(String statement) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("imker.db");
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(Rows.update(connection, statement)).isPositive();
    }
  }
}
