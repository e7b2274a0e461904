package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.SQLException;

/** An operation on a connection. */
public interface SqlWork<T> {
  T run(Connection connection) throws SQLException;
}
