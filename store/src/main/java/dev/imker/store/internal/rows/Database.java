package dev.imker.store.internal.rows;

import dev.imker.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections and interprets their errors. */
public interface Database {
  Connection openReader() throws SQLException;

  /** {@code doing} completes "could not ...". */
  StoreException explain(String doing, SQLException error);

  /** Whether an error only means that the connection was lost, so that another one may work. */
  default boolean isGone(SQLException error) {
    return false;
  }
}
