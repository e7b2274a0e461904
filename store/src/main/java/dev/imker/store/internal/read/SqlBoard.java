package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.model.ProjectId;
import dev.imker.model.account.BoardItem;
import dev.imker.store.BoardReads;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The blackboard, as SQL that SQLite and PostgreSQL both understand. */
public record SqlBoard(ReadConnections connections) implements BoardReads {
  private static final String SELECT =
      """
      SELECT u.name, p.name, b.name, b.description, b.blob, b.size, b.posted_by, b.posted_at,
        b.expires_at
      FROM board_item b JOIN project p ON p.id = b.project JOIN pool_user u ON u.id = p.pool_user
      """;
  private static final String OF_PROJECT = "WHERE u.name = :user AND p.name = :project";

  @Override
  public Optional<BoardItem> item(ProjectId project, String name) {
    String sql = SELECT + OF_PROJECT + " AND b.name = :name";
    return connections.read(
        c ->
            Rows.first(
                c,
                SqlBoard::item,
                sql,
                bind("user", project.user()),
                bind("project", project.name()),
                bind("name", name)));
  }

  @Override
  public List<BoardItem> search(ProjectId project, String text, String after, int limit) {
    String sql =
        SELECT
            + OF_PROJECT
            + " AND b.name > :after AND (LOWER(b.name) LIKE :like ESCAPE '!'"
            + " OR LOWER(b.description) LIKE :like ESCAPE '!') ORDER BY b.name LIMIT :limit";
    String like = "%" + text.toLowerCase(Locale.ROOT).replaceAll("([!%_])", "!$1") + "%";
    return connections.read(
        c ->
            Rows.list(
                c,
                SqlBoard::item,
                sql,
                bind("user", project.user()),
                bind("project", project.name()),
                bind("after", after),
                bind("like", like),
                bind("limit", limit)));
  }

  @Override
  public int count(ProjectId project) {
    String sql =
        "SELECT COUNT(*) FROM board_item b JOIN project p ON p.id = b.project"
            + " JOIN pool_user u ON u.id = p.pool_user "
            + OF_PROJECT;
    return connections
        .read(
            c ->
                Rows.first(
                    c,
                    row -> row.getInt(1),
                    sql,
                    bind("user", project.user()),
                    bind("project", project.name())))
        .orElse(0);
  }

  @Override
  public List<BoardItem> expired(long nowMillis, int limit) {
    String sql = SELECT + "WHERE b.expires_at <= :now LIMIT :limit";
    return connections.read(
        c -> Rows.list(c, SqlBoard::item, sql, bind("now", nowMillis), bind("limit", limit)));
  }

  @Override
  public void forEachBlob(long nowMillis, BiConsumer<ProjectId, BlobId> action) {
    connections.read(
        c -> {
          Rows.forEach(
              c,
              row -> {
                BoardItem item = item(row);
                action.accept(item.project(), item.blob());
              },
              SELECT + "WHERE b.expires_at > :now",
              bind("now", nowMillis));
          return true;
        });
  }

  private static BoardItem item(ResultSet row) throws SQLException {
    return new BoardItem(
        new ProjectId(row.getString(1), row.getString(2)),
        row.getString(3),
        row.getString(4),
        new BlobId(row.getString(5)),
        row.getLong(6),
        row.getString(7),
        row.getLong(8),
        row.getLong(9));
  }
}
