package dev.imker.store.move;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.PrivateFolder;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.postgres.PostgresDatabase;
import dev.imker.store.postgres.PostgresSchema;
import dev.imker.store.sqlite.SqliteErrors;
import dev.imker.store.sqlite.SqliteFile;
import dev.imker.store.sqlite.SqliteSchema;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Copies the database of a pool, as of one moment, into a SQLite database in another folder.
 * Servers may run in the meantime and are not delayed.
 */
public final class PoolSnapshot {

  private PoolSnapshot() {}

  /** The name of the database in the data folder of a pool. */
  public static String fileName() {
    return SqliteStore.FILE_NAME;
  }

  /**
   * Copies the database of a pool in a folder; the target must not exist, and is for its owner
   * only.
   */
  public static void ofFolder(Path dataFolder, Path target) {
    Path database = dataFolder.resolve(SqliteStore.FILE_NAME);
    if (!Files.isRegularFile(database)) {
      throw new StoreException("There is no pool in " + dataFolder + ".");
    }
    try (Connection connection = new SqliteFile(database, 0).openReader()) {
      SqliteSchema.requireCurrent(database, connection);
      PrivateFolder.closeFile(target); // it takes an empty file, whose mode stays
      Rows.update(connection, "VACUUM INTO :file", bind("file", target.toString()));
    } catch (SQLException e) {
      throw SqliteErrors.explain(database, "be copied", e);
    } catch (IOException e) {
      throw new StoreException("The copy " + target + " cannot be made: " + e.getMessage(), e);
    }
  }

  /** Copies a PostgreSQL database into a folder that has no pool; returns the number of rows. */
  public static long ofDatabase(String url, Path folder, Consumer<String> progress) {
    PostgresDatabase database = new PostgresDatabase(url);
    requireCurrent(database);
    if (Files.exists(folder.resolve(SqliteStore.FILE_NAME))) {
      throw new StoreException("There is a pool in " + folder + " already.");
    }
    SqliteStore.open(folder).close(); // makes the tables
    SqliteFile file = new SqliteFile(folder.resolve(SqliteStore.FILE_NAME), 0);
    boolean done = false;
    try (Connection from = database.openReader();
        Connection to = file.openWriter()) {
      to.setAutoCommit(false);
      long rows = 0;
      for (String table : PoolMigration.tables(to)) {
        rows += copy(from, to, table, progress);
      }
      TableCopy.copyPool(from, to);
      to.commit();
      to.setAutoCommit(true);
      Rows.list(to, row -> row.getString(1), "PRAGMA wal_checkpoint(TRUNCATE)");
      done = true;
      return rows;
    } catch (SQLException e) {
      throw database.explain("be copied", e);
    } finally {
      if (!done) {
        remove(folder);
      }
    }
  }

  private static void remove(Path folder) {
    for (String end : List.of("", "-wal", "-shm")) {
      try {
        Files.deleteIfExists(folder.resolve(SqliteStore.FILE_NAME + end));
      } catch (IOException e) {
        return; // the cause is already reported
      }
    }
  }

  private static void requireCurrent(PostgresDatabase database) {
    int found = PostgresSchema.version(database);
    if (found != SqliteSchema.VERSION) {
      throw new StoreException(
          "The database "
              + database.title()
              + " has schema version "
              + found
              + ", this version of Imker supports "
              + SqliteSchema.VERSION
              + ". Use the version of Imker that its servers run.");
    }
  }

  private static long copy(Connection from, Connection to, String table, Consumer<String> progress)
      throws SQLException {
    List<String> columns =
        Rows.list(
            to,
            row -> row.getString(1),
            "SELECT name FROM pragma_table_info(:table)",
            bind("table", table));
    long rows = TableCopy.copy(from, to, table, columns);
    if (rows > 0) {
      progress.accept(table + ": " + rows + (rows == 1 ? " row" : " rows"));
    }
    return rows;
  }

  /** Describes internal damage of a database; empty if there is none. */
  public static List<String> damage(Path dataFolder) {
    Path database = dataFolder.resolve(SqliteStore.FILE_NAME);
    try (Connection connection = new SqliteFile(database, 0).openReader()) {
      return Rows.list(connection, row -> row.getString(1), "PRAGMA integrity_check").stream()
          .filter(line -> !line.equals("ok"))
          .toList();
    } catch (SQLException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
