package dev.imker.store.internal.read;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.account.DropItem;
import dev.imker.store.DropReads;
import dev.imker.store.internal.rows.ReadConnections;
import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Files of drop folders, as SQL that SQLite and PostgreSQL both understand. */
public record SqlDrops(ReadConnections connections) implements DropReads {
  private static final String SELECT =
      """
      SELECT id, folder, path, content, state, shown, jobs, cause, taken_at, changed_at
      FROM drop_item
      """;
  private static final String PUT =
      """
      INSERT INTO drop_item (id, folder, path, content, state, is_open, shown, jobs, cause,
        taken_at, changed_at)
      VALUES (:id, :folder, :path, :content, :state, :is_open, :shown, :jobs, :cause,
        :taken_at, :changed_at)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, is_open = excluded.is_open,
        shown = excluded.shown, jobs = excluded.jobs, cause = excluded.cause,
        changed_at = excluded.changed_at
      """;

  public static void put(Connection connection, DropItem item) throws SQLException {
    Rows.update(
        connection,
        PUT,
        bind("id", item.id()),
        bind("folder", item.folder()),
        bind("path", item.path()),
        bind("content", item.content().sha256()),
        bind("state", item.state().ordinal()),
        bind("is_open", item.isOpen() ? 1 : 0),
        bind("shown", item.shown() ? 1 : 0),
        bind("jobs", item.jobs().stream().map(JobId::toString).collect(Collectors.joining(" "))),
        bind("cause", item.cause()),
        bind("taken_at", item.takenMillis()),
        bind("changed_at", item.changedMillis()));
  }

  @Override
  public Optional<DropItem> item(String id) {
    return connections.read(
        c -> Rows.first(c, SqlDrops::item, SELECT + "WHERE id = :id", bind("id", id)));
  }

  @Override
  public List<DropItem> open(String folder) {
    String sql = SELECT + "WHERE folder = :folder AND is_open = 1 ORDER BY taken_at, id";
    return connections.read(c -> Rows.list(c, SqlDrops::item, sql, bind("folder", folder)));
  }

  @Override
  public List<DropItem> newest(String folder, int limit) {
    String sql = SELECT + "WHERE folder = :folder ORDER BY taken_at DESC, id LIMIT :limit";
    return connections.read(
        c -> Rows.list(c, SqlDrops::item, sql, bind("folder", folder), bind("limit", limit)));
  }

  @Override
  public void forEachOpenBlob(Consumer<BlobId> action) {
    connections.read(
        c -> {
          Rows.forEach(
              c,
              row -> action.accept(new BlobId(row.getString(1))),
              "SELECT content FROM drop_item WHERE is_open = 1");
          return true;
        });
  }

  private static DropItem item(ResultSet row) throws SQLException {
    return new DropItem(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        new BlobId(row.getString(4)),
        DropItem.State.values()[row.getInt(5)],
        row.getInt(6) == 1,
        jobs(row.getString(7)),
        row.getString(8),
        row.getLong(9),
        row.getLong(10));
  }

  private static List<JobId> jobs(String text) {
    return Arrays.stream(text.split(" ", -1))
        .filter(number -> !number.isEmpty())
        .map(number -> new JobId(Long.parseLong(number)))
        .toList();
  }
}
