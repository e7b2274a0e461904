package dev.imker.store;

import dev.imker.model.change.Change;
import java.sql.SQLException;
import java.util.List;

/** Runs the transactions that write, one at a time. */
interface Writer extends AutoCloseable {
  /** Runs work in a transaction of its own; {@code doing} completes "could not ...". */
  <T> T transaction(String doing, SqlWork<T> work);

  void write(List<Change> changes);

  @Override
  void close() throws SQLException;
}
