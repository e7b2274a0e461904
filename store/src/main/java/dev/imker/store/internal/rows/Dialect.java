package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.ToLongFunction;

/**
 * The performance-relevant difference between the databases: writing many rows of tasks at once.
 */
public enum Dialect {
  SQLITE {
    @Override
    public <C> Batch<C> tasks(
        Connection connection,
        TaskStatement statement,
        ToLongFunction<C> key,
        Batch.Binder<C> binder,
        Batch.Missed<C> missed)
        throws SQLException {
      return new StatementBatch<>(connection, statement.each(), binder, missed);
    }

    @Override
    public boolean hasArrays() {
      return false;
    }
  },
  POSTGRESQL {
    @Override
    public <C> Batch<C> tasks(
        Connection connection,
        TaskStatement statement,
        ToLongFunction<C> key,
        Batch.Binder<C> binder,
        Batch.Missed<C> missed)
        throws SQLException {
      return new ArrayBatch<>(connection, statement.all(), key, binder, missed);
    }

    @Override
    public boolean hasArrays() {
      return true;
    }
  };

  /** Whether a statement accepts many values as one parameter. */
  public abstract boolean hasArrays();

  public abstract <C> Batch<C> tasks(
      Connection connection,
      TaskStatement statement,
      ToLongFunction<C> key,
      Batch.Binder<C> binder,
      Batch.Missed<C> missed)
      throws SQLException;
}
