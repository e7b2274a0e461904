package dev.imker.store.move;

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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Copies everything in the database of a pool, as it is at one moment, into a SQLite database in
 * another folder. Servers may run meanwhile and are not held up.
 */
public final class PoolSnapshot {
  private static final int ROWS_PER_BATCH = 1000;

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
      Rows.update(connection, "VACUUM INTO ?", target.toString());
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
      copyPool(from, to);
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
        return; // what made it fail is reported already
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
              + ", this version of Imker reads "
              + SqliteSchema.VERSION
              + ". Use the Imker that its servers run.");
    }
  }

  private static long copy(Connection from, Connection to, String table, Consumer<String> progress)
      throws SQLException {
    List<String> columns =
        Rows.list(to, row -> row.getString(1), "SELECT name FROM pragma_table_info(?)", table);
    Rows.update(to, "DELETE FROM " + table);
    String names = String.join(", ", columns);
    String marks = String.join(", ", Collections.nCopies(columns.size(), "?"));
    long rows = 0;
    try (PreparedStatement insert =
            to.prepareStatement(
                "INSERT INTO " + table + " (" + names + ") VALUES (" + marks + ")");
        PreparedStatement select = from.prepareStatement("SELECT " + names + " FROM " + table);
        ResultSet found = select.executeQuery()) {
      while (found.next()) {
        bind(insert, found, columns.size());
        insert.addBatch();
        if (++rows % ROWS_PER_BATCH == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
    progress.accept(table + ": " + rows + " rows");
    return rows;
  }

  private static void bind(PreparedStatement insert, ResultSet found, int columns)
      throws SQLException {
    for (int i = 1; i <= columns; i++) {
      switch (found.getObject(i)) {
        case null -> insert.setNull(i, Types.NULL);
        case byte[] bytes -> insert.setBytes(i, bytes);
        case String text -> insert.setString(i, text);
        case Boolean flag -> insert.setLong(i, flag ? 1 : 0);
        case Double number -> insert.setDouble(i, number);
        case Float number -> insert.setDouble(i, number);
        case Number number -> insert.setLong(i, number.longValue());
        case Object other ->
            throw new SQLException("a column of the unexpected type " + other.getClass());
      }
    }
  }

  private static void copyPool(Connection from, Connection to) throws SQLException {
    long[] pool =
        Rows.first(
                from,
                row -> new long[] {row.getLong(1), row.getLong(2)},
                "SELECT epoch, last_job FROM pool")
            .orElseThrow();
    Rows.update(to, "UPDATE pool SET epoch = ?, last_job = ?", pool[0], pool[1]);
  }

  /** What is wrong with a database in itself; empty if nothing is. */
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
