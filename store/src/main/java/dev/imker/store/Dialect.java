package dev.imker.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.ToLongFunction;

/** How the databases differ where it matters for speed: in writing many rows of tasks at once. */
enum Dialect {
  SQLITE {
    @Override
    <C> Batch<C> tasks(
        Connection connection,
        TaskStatement statement,
        ToLongFunction<C> key,
        Batch.Binder<C> binder,
        Batch.Missed<C> missed)
        throws SQLException {
      return new StatementBatch<>(connection, statement.each(), binder, missed);
    }
  },
  POSTGRESQL {
    @Override
    <C> Batch<C> tasks(
        Connection connection,
        TaskStatement statement,
        ToLongFunction<C> key,
        Batch.Binder<C> binder,
        Batch.Missed<C> missed)
        throws SQLException {
      return new ArrayBatch<>(connection, statement.all(), key, binder, missed);
    }
  };

  abstract <C> Batch<C> tasks(
      Connection connection,
      TaskStatement statement,
      ToLongFunction<C> key,
      Batch.Binder<C> binder,
      Batch.Missed<C> missed)
      throws SQLException;
}
