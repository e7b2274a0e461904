package dev.imker.store.sqlite;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings a database to the schema of this version, or says why it cannot. */
public final class SqliteSchema {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteSchema.class);

  /** The newest migration that this version knows. */
  public static final int VERSION = 18;

  static final String LOCATION = "classpath:dev/imker/store/schema/sqlite";
  public static final String HISTORY = "schema_history";

  private SqliteSchema() {}

  /** Migrates if need be; a database that is up to date costs one small query. */
  static void bringUpToDate(SqliteFile file, Connection connection) throws SQLException {
    int found = version(connection);
    if (found > VERSION) {
      throw new StoreException(
          "The database "
              + file.path()
              + " has schema version "
              + found
              + ", but this version of Imker supports "
              + VERSION
              + " at most. Use the newer version of Imker that wrote it, or choose another"
              + " folder.");
    }
    if (found < VERSION) {
      keepCopy(file, connection, found);
      migrate(file);
    }
  }

  /** An upgrade cannot be undone, so the previous database is kept next to it. */
  private static void keepCopy(SqliteFile file, Connection connection, int found)
      throws SQLException {
    if (found == 0) {
      return;
    }
    Path copy = file.path().resolveSibling(file.path().getFileName() + ".schema-" + found);
    if (!Files.exists(copy)) {
      Rows.update(connection, "VACUUM INTO :file", bind("file", copy.toString()));
    }
    LOG.warn(
        "Upgrading the schema of {} from version {} to {}; a copy of the old database is in {}",
        file.path(),
        found,
        VERSION,
        copy);
  }

  /** Rejects a database whose schema differs from the one this version writes. */
  public static void requireCurrent(Path database, Connection connection) throws SQLException {
    int found = version(connection);
    if (found != VERSION) {
      throw new StoreException(
          "The database "
              + database
              + " has schema version "
              + found
              + ", this version of Imker supports "
              + VERSION
              + (found < VERSION
                  ? ". Start a server of this version on it once to upgrade it."
                  : ". Use the newer version of Imker that wrote it."));
    }
  }

  /** The schema version of a database, 0 for an empty one. */
  private static int version(Connection connection) throws SQLException {
    String table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '" + HISTORY + "'";
    if (Rows.first(connection, row -> row.getInt(1), table).isEmpty()) {
      return 0;
    }
    String newest = "SELECT MAX(CAST(version AS INTEGER)) FROM " + HISTORY + " WHERE success = 1";
    return Rows.first(connection, row -> row.getInt(1), newest).orElse(0);
  }

  private static void migrate(SqliteFile file) {
    try {
      Flyway.configure(SqliteSchema.class.getClassLoader())
          .dataSource(file.dataSource())
          .locations(LOCATION)
          .table(HISTORY)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new StoreException(
          "The database "
              + file.path()
              + " could not be upgraded to schema version "
              + VERSION
              + ": "
              + e.getMessage(),
          e);
    }
  }
}
