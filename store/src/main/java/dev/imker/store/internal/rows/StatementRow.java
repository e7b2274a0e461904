package dev.imker.store.internal.rows;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** A row that becomes the parameters of a statement. */
public record StatementRow(PreparedStatement statement) implements RowSink {
  @Override
  public void setInt(int column, int value) throws SQLException {
    statement.setInt(column, value);
  }

  @Override
  public void setLong(int column, long value) throws SQLException {
    statement.setLong(column, value);
  }

  @Override
  public void setString(int column, @Nullable String value) throws SQLException {
    statement.setString(column, value == null ? null : Rows.storable(value));
  }

  @Override
  public void setBytes(int column, byte @Nullable [] value) throws SQLException {
    statement.setBytes(column, value);
  }
}
