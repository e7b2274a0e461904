package dev.imker.store.sqlite;

import dev.imker.model.change.Change;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.SqlWork;
import dev.imker.store.internal.write.ChangeWriter;
import dev.imker.store.sql.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes the changes of a pool. */
final class SqliteWriter extends SqliteTransactions implements Writer {
  private ChangeWriter changeWriter;

  SqliteWriter(SqliteFile file, Connection connection) throws SQLException {
    super(file, connection);
    changeWriter = changeWriter(connection);
  }

  @Override
  public void write(List<Change> changes) {
    transaction(
        "write changes",
        c -> {
          changeWriter.write(changes);
          return changes.size();
        });
  }

  @Override
  public <T> T transaction(String doing, List<Change> changes, SqlWork<T> work) {
    return transaction(doing, work);
  }

  @Override
  void undone() throws SQLException {
    changeWriter.discard();
  }

  @Override
  void attached(Connection fresh) throws SQLException {
    changeWriter = changeWriter(fresh);
  }

  private static ChangeWriter changeWriter(Connection connection) throws SQLException {
    return new ChangeWriter(connection, Dialect.SQLITE, new Names(connection));
  }
}
