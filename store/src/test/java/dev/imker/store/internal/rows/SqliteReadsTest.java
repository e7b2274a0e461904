package dev.imker.store.internal.rows;

import static dev.imker.store.internal.rows.Bind.bind;
import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.store.JobOrder;
import dev.imker.store.PoolStore;
import dev.imker.store.ReadsContract;
import dev.imker.store.internal.read.TaskListing;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteReadsTest extends ReadsContract {
  @TempDir Path folder;

  @Override
  public PoolStore open() {
    return SqliteStore.open(folder);
  }

  @Test
  void tasks_in_trouble_are_found_by_an_index() throws SQLException {
    String plan =
        plan(
            TaskListing.troubledSql(false),
            bind("state", 4),
            bind("first", 0L),
            bind("last", Long.MAX_VALUE),
            bind("limit", 10));
    assertThat(plan).contains("task_troubled").doesNotContain("TEMP B-TREE");
  }

  @Test
  void jobs_are_sorted_by_an_index() throws SQLException {
    for (JobOrder.Key key : JobOrder.Key.values()) {
      String sql = "SELECT j.id FROM job j" + new JobOrder(key, true).orderBy() + " LIMIT 5";
      assertThat(plan(sql)).as(key.name()).doesNotContain("TEMP B-TREE");
    }
  }

  private String plan(String sql, Bind... binds) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Connection connection =
        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("imker.db"))) {
      Rows.forEach(
          connection,
          row -> plan.append(row.getString("detail")).append('\n'),
          "EXPLAIN QUERY PLAN " + sql,
          binds);
    }
    return plan.toString();
  }
}
