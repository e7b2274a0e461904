package dev.imker.store.internal.rows;

import dev.imker.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from, and what their errors mean. */
public interface Database {
  Connection openReader() throws SQLException;

  /** {@code doing} completes "could not ...". */
  StoreException explain(String doing, SQLException error);

  /** Whether an error only says that the connection is gone, so that another one may do. */
  default boolean isGone(SQLException error) {
    return false;
  }
}
