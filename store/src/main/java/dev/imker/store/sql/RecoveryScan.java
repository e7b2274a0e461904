package dev.imker.store.sql;

import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.store.RecoverySink;
import dev.imker.store.internal.live.JobImage;
import dev.imker.store.internal.live.JobRows;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reads the live state out of the database, one job after the other. */
final class RecoveryScan {
  private static final String SELECT_IDS =
      Codes.sql("SELECT id FROM job WHERE status = {job.OPEN} ORDER BY id");

  private static final String SELECT_NODE_PROFILES =
      "SELECT n.name, p.profile FROM node_profile p JOIN node n ON n.id = p.node ORDER BY n.id";
  private static final String SELECT_PROJECT_PROFILES =
      """
      SELECT u.name, j.name, p.profile FROM project_profile p
      JOIN project j ON j.id = p.project JOIN pool_user u ON u.id = j.pool_user ORDER BY j.id
      """;

  private final Connection connection;
  private final JobRows rows;
  private final RecoverySink recovery;

  RecoveryScan(Connection connection, Dialect dialect, RecoverySink recovery) {
    this.connection = connection;
    this.recovery = recovery;
    rows = new JobRows(dialect);
  }

  void profiles() throws SQLException {
    Rows.forEach(
        connection,
        row -> recovery.nodeProfile(new NodeId(row.getString(1)), row.getString(2)),
        SELECT_NODE_PROFILES);
    Rows.forEach(
        connection,
        row ->
            recovery.projectProfile(
                new ProjectId(row.getString(1), row.getString(2)), row.getString(3)),
        SELECT_PROJECT_PROFILES);
    Rows.forEach(
        connection,
        row -> recovery.strategyMemory(row.getString(1), row.getString(2), row.getString(3)),
        "SELECT strategy, subject, memory FROM strategy_memory ORDER BY strategy, subject");
  }

  void openJobs() throws SQLException {
    List<Long> ids = Rows.list(connection, row -> row.getLong(1), SELECT_IDS);
    for (long id : ids) {
      job(new JobId(id));
    }
  }

  boolean job(JobId id) throws SQLException {
    Map<Long, JobImage> found = rows.whole(connection, List.of(id.value()));
    found.values().forEach(job -> job.tell(recovery));
    return !found.isEmpty();
  }
}
