package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.JobId;
import dev.imker.model.account.Notice;
import dev.imker.store.NoticeReads;
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.Codes;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Messages about jobs, as SQL that SQLite and PostgreSQL both understand. */
public record SqlNotices(ReadConnections connections) implements NoticeReads {
  private static final String SELECT =
      "SELECT id, job, settled_at, channel, address, state, tries, next_at, error FROM notice ";
  private static final List<Notice.Channel> CHANNELS = List.of(Notice.Channel.values());
  private static final List<Notice.State> STATES = List.of(Notice.State.values());

  @Override
  public List<Notice> due(long nowMillis, int limit) {
    return list(
        Codes.sql(
            "WHERE state = {notice.WAITING} AND next_at <= :now ORDER BY next_at, id LIMIT :limit"),
        bind("now", nowMillis),
        bind("limit", limit));
  }

  @Override
  public List<Notice> sending() {
    return list(Codes.sql("WHERE state = {notice.SENDING} ORDER BY id"));
  }

  @Override
  public List<Notice> of(JobId job) {
    return list("WHERE job = :job ORDER BY id", bind("job", job.value()));
  }

  private List<Notice> list(String where, Bind... binds) {
    return connections.read(c -> Rows.list(c, SqlNotices::notice, SELECT + where, binds));
  }

  private static Notice notice(ResultSet row) throws SQLException {
    return new Notice(
        row.getLong(1),
        new JobId(row.getLong(2)),
        row.getLong(3),
        CHANNELS.get(row.getInt(4)),
        row.getString(5),
        STATES.get(row.getInt(6)),
        row.getInt(7),
        row.getLong(8),
        row.getString(9));
  }
}
