package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.account.AuditEntry;
import dev.imker.store.Journal;
import dev.imker.store.internal.rows.Bind;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was done and used, as SQL that SQLite and PostgreSQL both understand. */
public record SqlJournal(ReadConnections connections) implements Journal {
  @Override
  public List<Entry> audit(@Nullable String user, long sinceMillis, long before, int limit) {
    StringBuilder sql =
        new StringBuilder(
            "SELECT id, at, user_name, role, action, status, address FROM audit WHERE at >="
                + " :since");
    List<Bind> binds = new ArrayList<>(List.of(bind("since", sinceMillis)));
    if (user != null) {
      sql.append(" AND user_name = :user");
      binds.add(bind("user", user));
    }
    if (before > 0) {
      sql.append(" AND id < :before");
      binds.add(bind("before", before));
    }
    sql.append(" ORDER BY id DESC LIMIT :limit");
    binds.add(bind("limit", limit));
    return connections.read(
        c -> Rows.list(c, SqlJournal::entry, sql.toString(), binds.toArray(Bind[]::new)));
  }

  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong(1),
        new AuditEntry(
            row.getLong(2),
            row.getString(3),
            row.getString(4),
            row.getString(5),
            row.getInt(6),
            row.getString(7)));
  }

  @Override
  public List<Usage> usage(@Nullable String user, Grouping grouping, long sinceDay) {
    String group =
        switch (grouping) {
          case USER -> "''";
          case NODE -> "n.name";
          case DAY -> "s.day";
          case PROJECT -> "p.name";
        };
    String sql =
        "SELECT u.name AS who, "
            + group
            + " AS grp, SUM(s.attempts), SUM(s.wasted_attempts), SUM(s.cpu_millis),"
            + " SUM(s.wasted_cpu_millis), SUM(s.wall_millis), SUM(s.wasted_wall_millis),"
            + " SUM(s.bytes_in), SUM(s.bytes_out) FROM usage_sum s"
            + " JOIN project p ON p.id = s.project JOIN pool_user u ON u.id = p.pool_user"
            + " JOIN node n ON n.id = s.node WHERE s.day >= :since"
            + (user == null ? "" : " AND u.name = :user")
            + " GROUP BY who, grp ORDER BY who, grp";
    Bind since = bind("since", sinceDay);
    Bind[] binds = user == null ? new Bind[] {since} : new Bind[] {since, bind("user", user)};
    return connections.read(c -> Rows.list(c, row -> usage(row, grouping), sql, binds));
  }

  private static Usage usage(ResultSet row, Grouping grouping) throws SQLException {
    return new Usage(
        row.getString(1),
        grouping == Grouping.DAY
            ? LocalDate.ofEpochDay(row.getLong(2)).toString()
            : row.getString(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10));
  }
}
