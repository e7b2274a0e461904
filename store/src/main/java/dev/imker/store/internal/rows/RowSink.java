package dev.imker.store.internal.rows;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes the values of one row, by the number of the column, from 1 on. */
public interface RowSink {
  void setInt(int column, int value) throws SQLException;

  void setLong(int column, long value) throws SQLException;

  void setString(int column, @Nullable String value) throws SQLException;

  void setBytes(int column, byte @Nullable [] value) throws SQLException;
}
