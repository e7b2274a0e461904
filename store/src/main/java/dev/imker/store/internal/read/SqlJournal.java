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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Audit log and usage, as SQL that SQLite and PostgreSQL both understand. */
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
  public List<Usage> usage(@Nullable String user, Set<Grouping> by, long sinceDay) {
    String groups = by.stream().sorted().map(SqlJournal::column).collect(Collectors.joining(", "));
    String sql =
        "SELECT "
            + groups
            + ", "
            + SUMS.stream().map("SUM(s.%s)"::formatted).collect(Collectors.joining(", "))
            + " FROM usage_sum s"
            + " JOIN project p ON p.id = s.project JOIN pool_user u ON u.id = p.pool_user"
            + " JOIN node n ON n.id = s.node WHERE s.day >= :since"
            + (user == null ? "" : " AND u.name = :user")
            + " GROUP BY %s ORDER BY %s".formatted(groups, groups);
    Bind since = bind("since", sinceDay);
    Bind[] binds = user == null ? new Bind[] {since} : new Bind[] {since, bind("user", user)};
    return connections.read(c -> Rows.list(c, row -> usage(row, by), sql, binds));
  }

  private static final List<String> SUMS =
      List.of(
          "attempts",
          "wasted_attempts",
          "cpu_millis",
          "wasted_cpu_millis",
          "wall_millis",
          "wasted_wall_millis",
          "core_millis",
          "gpu_millis",
          "memory_mb_seconds",
          "bytes_in",
          "bytes_out");

  private static String column(Grouping group) {
    return switch (group) {
      case USER -> "u.name";
      case PROJECT -> "p.name";
      case NODE -> "n.name";
      case DAY -> "s.day";
    };
  }

  private static Usage usage(ResultSet row, Set<Grouping> by) throws SQLException {
    Map<Grouping, String> groups = new EnumMap<>(Grouping.class);
    int column = 0;
    for (Grouping group : Grouping.values()) {
      if (by.contains(group)) {
        column++;
        groups.put(
            group,
            group == Grouping.DAY
                ? LocalDate.ofEpochDay(row.getLong(column)).toString()
                : row.getString(column));
      }
    }
    long[] sums = new long[SUMS.size()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = row.getLong(column + 1 + i);
    }
    String user = groups.getOrDefault(Grouping.USER, "");
    groups.remove(Grouping.USER);
    return new Usage(
        user,
        String.join(" ", groups.values()),
        groups.getOrDefault(Grouping.PROJECT, ""),
        groups.getOrDefault(Grouping.NODE, ""),
        groups.getOrDefault(Grouping.DAY, ""),
        sums[0],
        sums[1],
        sums[2],
        sums[3],
        sums[4],
        sums[5],
        sums[6],
        sums[7],
        sums[8],
        sums[9],
        sums[10]);
  }
}
