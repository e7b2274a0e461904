package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs one statement with its parameters. */
public final class Rows {
  /** Makes a value of the current row. */
  public interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** Takes the current row. */
  public interface Sink {
    void accept(ResultSet row) throws SQLException;
  }

  private Rows() {}

  public static int update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  public static <T> List<T> list(
      Connection connection, Mapper<T> mapper, String sql, Object... parameters)
      throws SQLException {
    List<T> all = new ArrayList<>();
    forEach(connection, row -> all.add(mapper.map(row)), sql, parameters);
    return all;
  }

  public static <T> Optional<T> first(
      Connection connection, Mapper<T> mapper, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
    }
  }

  public static void forEach(Connection connection, Sink sink, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        sink.accept(rows);
      }
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      set(statement, i + 1, parameters[i]);
    }
    return statement;
  }

  static void set(PreparedStatement statement, int number, Object value) throws SQLException {
    statement.setObject(number, value instanceof String text ? storable(text) : value);
  }

  /** PostgreSQL keeps every character but the one with the number 0. */
  public static String storable(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
