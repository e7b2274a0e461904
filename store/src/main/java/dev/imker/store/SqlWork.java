package dev.imker.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Something to do with a connection. */
interface SqlWork<T> {
  T run(Connection connection) throws SQLException;
}
