package dev.imker.store.internal.rows;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Receives the values of one row by the names in its statement. */
public interface RowSink {
  void setInt(String name, int value) throws SQLException;

  void setLong(String name, long value) throws SQLException;

  void setString(String name, @Nullable String value) throws SQLException;

  void setBytes(String name, byte @Nullable [] value) throws SQLException;
}
