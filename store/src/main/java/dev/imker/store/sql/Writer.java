package dev.imker.store.sql;

import dev.imker.model.change.Change;
import dev.imker.store.internal.rows.SqlWork;
import java.sql.SQLException;
import java.util.List;

/** Runs the transactions that write, one at a time. */
public interface Writer extends AutoCloseable {
  /**
   * Runs work in a transaction of its own; {@code doing} completes "could not ...".
   *
   * @param changes its changes that others follow
   */
  <T> T transaction(String doing, List<Change> changes, SqlWork<T> work);

  void write(List<Change> changes);

  @Override
  void close() throws SQLException;
}
