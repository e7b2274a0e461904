package dev.imker.store.move;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.store.StoreException;
import dev.imker.store.blobs.BlobCopy;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.postgres.PostgresDatabase;
import dev.imker.store.sqlite.SqliteFile;
import dev.imker.store.sqlite.SqliteSchema;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Moves a pool that has grown from its folder into an empty PostgreSQL database: files first, then
 * all rows in one transaction. The folder is not changed. An interrupted migration can be
 * restarted.
 */
public final class PoolMigration {

  public record Report(long rows, long files, long bytes) {}

  private final Path folder;
  private final String url;
  private final BlobStore target;
  private final Consumer<String> progress;

  /**
   * @param folder the data folder of a pool whose server does not run
   * @param target where files go
   * @param progress receives progress messages for people
   */
  public PoolMigration(Path folder, String url, BlobStore target, Consumer<String> progress) {
    this.folder = folder;
    this.url = url;
    this.target = target;
    this.progress = progress;
  }

  /** Moves everything; the database must have been opened once, and hold no pool yet. */
  public Report run() {
    // Opening brings an old folder up to date, and keeps its server from starting meanwhile.
    SqliteStore opened = SqliteStore.open(folder);
    try (opened;
        Connection from = source();
        Connection to = new PostgresDatabase(url).openImport()) {
      requireEmpty(to);
      BlobCopy files = copyFiles();
      to.setAutoCommit(false);
      long rows = 0;
      for (String table : tables(from)) {
        rows += copy(from, to, table);
      }
      TableCopy.copyPool(from, to);
      to.commit();
      return new Report(rows, files.copied(), files.bytes());
    } catch (SQLException e) {
      throw new StoreException(
          "The pool in "
              + folder
              + " could not be moved: "
              + e.getMessage()
              + " The database is unchanged.",
          e);
    }
  }

  private Connection source() throws SQLException {
    return new SqliteFile(folder.resolve(SqliteStore.FILE_NAME), 0).openReader();
  }

  private void requireEmpty(Connection to) throws SQLException {
    String sql = "SELECT (SELECT COUNT(*) FROM job) + (SELECT epoch FROM pool)";
    if (Rows.first(to, row -> row.getLong(1), sql).orElse(0L) > 0) {
      throw new StoreException(
          "The database "
              + PostgresDatabase.withoutSecrets(url)
              + " already holds a pool. Move into an empty one.");
    }
  }

  private BlobCopy copyFiles() {
    try (BlobStore source = TieredBlobs.open(folder.resolve("blobs"))) {
      BlobCopy copy = new BlobCopy(source, target);
      copy.run();
      if (!copy.damaged().isEmpty()) {
        throw new StoreException(
            "The pool in " + folder + " was not moved: " + String.join("; ", copy.damaged()));
      }
      progress.accept(copy.copied() + " files, " + copy.bytes() + " bytes");
      return copy;
    }
  }

  /** All tables with rows of the pool, of a SQLite database. */
  static List<String> tables(Connection from) throws SQLException {
    return Rows.list(
        from,
        row -> row.getString(1),
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            + " AND name NOT IN ('pool', :history) ORDER BY name",
        bind("history", SqliteSchema.HISTORY));
  }

  private long copy(Connection from, Connection to, String table) throws SQLException {
    List<String> columns =
        Rows.list(
            from,
            row -> row.getString(1),
            "SELECT name FROM pragma_table_info(:table)",
            bind("table", table));
    long rows = TableCopy.copy(from, to, table, columns);
    continueNumbers(to, table, columns);
    if (rows > 0) {
      progress.accept(table + ": " + rows + (rows == 1 ? " row" : " rows"));
    }
    return rows;
  }

  /** Sequences of the database continue after the greatest migrated number. */
  private static void continueNumbers(Connection to, String table, List<String> columns)
      throws SQLException {
    if (!columns.contains("id")) {
      return;
    }
    String sql = "SELECT COALESCE(pg_get_serial_sequence(:table, 'id'), '')";
    String sequence = Rows.first(to, row -> row.getString(1), sql, bind("table", table)).orElse("");
    if (!sequence.isEmpty()) {
      Rows.first(
          to,
          row -> row.getLong(1),
          "SELECT setval(CAST(:sequence AS regclass), MAX(id)) FROM "
              + table
              + " HAVING MAX(id) > 0",
          bind("sequence", sequence));
    }
  }
}
