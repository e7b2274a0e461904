package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose parameters are set by name, for many rows or optional values. Only on SQLite
 * may a name occur twice.
 */
public final class NamedStatement implements RowSink, AutoCloseable {
  private final PreparedStatement statement;
  private final ParameterNames names;

  public NamedStatement(Connection connection, String sql) throws SQLException {
    NamedSql named = NamedSql.once(sql);
    this.statement = connection.prepareStatement(named.sql());
    this.names = new ParameterNames(named.names());
  }

  @Override
  public void setInt(String name, int value) throws SQLException {
    statement.setInt(names.number(name), value);
  }

  @Override
  public void setLong(String name, long value) throws SQLException {
    statement.setLong(names.number(name), value);
  }

  @Override
  public void setString(String name, @Nullable String value) throws SQLException {
    statement.setString(names.number(name), value == null ? null : Rows.storable(value));
  }

  @Override
  public void setBytes(String name, byte @Nullable [] value) throws SQLException {
    statement.setBytes(names.number(name), value);
  }

  public int update() throws SQLException {
    return statement.executeUpdate();
  }

  void addBatch() throws SQLException {
    statement.addBatch();
  }

  int[] executeBatch() throws SQLException {
    return statement.executeBatch();
  }

  void clearBatch() throws SQLException {
    statement.clearBatch();
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }

  /** The numbers of parameters, from 1 on. Whoever asks in their order gets each at once. */
  static final class ParameterNames {
    private final String[] names;
    private int last;

    ParameterNames(List<String> names) {
      this.names = names.toArray(String[]::new);
    }

    int number(String name) {
      for (int tries = 0; tries < names.length; tries++) {
        int at = last < names.length ? last : 0;
        last = at + 1;
        if (names[at].equals(name)) {
          return last;
        }
      }
      throw new IllegalArgumentException("no parameter :" + name);
    }
  }
}
