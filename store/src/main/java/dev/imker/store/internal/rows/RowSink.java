package dev.imker.store.internal.rows;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Takes the values of one row, by the names that its statement has for them. */
public interface RowSink {
  void setInt(String name, int value) throws SQLException;

  void setLong(String name, long value) throws SQLException;

  void setString(String name, @Nullable String value) throws SQLException;

  void setBytes(String name, byte @Nullable [] value) throws SQLException;
}
