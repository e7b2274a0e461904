package dev.imker.store.postgres;

import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.sqlite.SqliteSchema;
import java.sql.Connection;
import java.sql.SQLException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings a PostgreSQL database to the schema of this version, or says why it cannot. */
public final class PostgresSchema {
  public static final String LOCATION = "classpath:dev/imker/store/schema/postgresql";

  private PostgresSchema() {}

  /** Migrates if need be; several servers may do so at the same time. */
  static void bringUpToDate(PostgresDatabase database) {
    int found = version(database);
    if (found > SqliteSchema.VERSION) {
      throw new StoreException(
          "The database "
              + database.title()
              + " has schema version "
              + found
              + ", but this version of Imker supports "
              + SqliteSchema.VERSION
              + " at most. Use the newer version of Imker that wrote it, or choose another"
              + " database.");
    }
    if (found < SqliteSchema.VERSION) {
      migrate(database);
    }
  }

  /** The schema version of a database, 0 for an empty one. */
  public static int version(PostgresDatabase database) {
    try (Connection connection = database.openPlain()) {
      String table = "SELECT 1 WHERE to_regclass('" + SqliteSchema.HISTORY + "') IS NOT NULL";
      if (Rows.first(connection, row -> row.getInt(1), table).isEmpty()) {
        return 0;
      }
      String newest =
          "SELECT MAX(CAST(version AS INTEGER)) FROM " + SqliteSchema.HISTORY + " WHERE success";
      return Rows.first(connection, row -> row.getInt(1), newest).orElse(0);
    } catch (SQLException e) {
      throw database.explain("be opened", e);
    }
  }

  private static void migrate(PostgresDatabase database) {
    try {
      Flyway.configure(PostgresSchema.class.getClassLoader())
          .dataSource(database.primaryUrl(), null, null)
          .locations(LOCATION)
          .table(SqliteSchema.HISTORY)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new StoreException(
          "The database "
              + database.title()
              + " could not be upgraded to schema version "
              + SqliteSchema.VERSION
              + ": "
              + e.getMessage(),
          e);
    } catch (SQLException e) {
      throw database.explain("be opened", e);
    }
  }
}
