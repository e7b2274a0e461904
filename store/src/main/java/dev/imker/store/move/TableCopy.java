package dev.imker.store.move;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collections;
import java.util.List;

/** Rows on their way from one database into another with the same tables. */
final class TableCopy {
  private static final int ROWS_PER_BATCH = 1000;

  private TableCopy() {}

  /**
   * Replaces the content of the table, such as settings created when it was opened; returns the
   * number of rows.
   */
  static long copy(Connection from, Connection to, String table, List<String> columns)
      throws SQLException {
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
        copyRow(insert, found, columns.size());
        insert.addBatch();
        if (++rows % ROWS_PER_BATCH == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
    return rows;
  }

  private static void copyRow(PreparedStatement insert, ResultSet found, int columns)
      throws SQLException {
    for (int i = 1; i <= columns; i++) {
      switch (found.getObject(i)) {
        case null -> insert.setNull(i, Types.NULL);
        case byte[] bytes -> insert.setBytes(i, bytes);
        case String text -> insert.setString(i, Rows.storable(text));
        case Boolean flag -> insert.setLong(i, flag ? 1 : 0);
        case Double number -> insert.setDouble(i, number);
        case Float number -> insert.setDouble(i, number);
        case Number number -> insert.setLong(i, number.longValue());
        case Object other ->
            throw new SQLException("a column of the unexpected type " + other.getClass());
      }
    }
  }

  static void copyPool(Connection from, Connection to) throws SQLException {
    long[] pool =
        Rows.first(
                from,
                row -> new long[] {row.getLong(1), row.getLong(2)},
                "SELECT epoch, last_job FROM pool")
            .orElseThrow();
    Rows.update(
        to,
        "UPDATE pool SET epoch = :epoch, last_job = :last_job",
        bind("epoch", pool[0]),
        bind("last_job", pool[1]));
  }
}
