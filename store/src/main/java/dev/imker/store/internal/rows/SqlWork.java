package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.SQLException;

/** Something to do with a connection. */
public interface SqlWork<T> {
  T run(Connection connection) throws SQLException;
}
