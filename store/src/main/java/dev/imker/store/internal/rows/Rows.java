package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one statement with the values for its {@code :names}. */
public final class Rows {
  /** Maps the current row to a value. */
  public interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** Receives the current row. */
  public interface Sink {
    void accept(ResultSet row) throws SQLException;
  }

  private Rows() {}

  public static int update(Connection connection, String sql, Bind... binds) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, binds)) {
      return statement.executeUpdate();
    }
  }

  public static <T> List<T> list(Connection connection, Mapper<T> mapper, String sql, Bind... binds)
      throws SQLException {
    List<T> all = new ArrayList<>();
    forEach(connection, row -> all.add(mapper.map(row)), sql, binds);
    return all;
  }

  public static <T> Optional<T> first(
      Connection connection, Mapper<T> mapper, String sql, Bind... binds) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, binds);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
    }
  }

  public static void forEach(Connection connection, Sink sink, String sql, Bind... binds)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, binds);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        sink.accept(rows);
      }
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Bind... binds)
      throws SQLException {
    NamedSql named = NamedSql.of(sql);
    @Nullable Object[] values = named.values(binds);
    PreparedStatement statement = connection.prepareStatement(named.sql());
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** PostgreSQL keeps every character but the one with the number 0. */
  public static String storable(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
