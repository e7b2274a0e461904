package dev.imker.store.internal.rows;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One statement, executed once for every change. */
public final class StatementBatch<C> extends Batch<C> {
  private final NamedStatement statement;
  private final Binder<C> binder;

  public StatementBatch(Connection connection, String sql, Binder<C> binder, Missed<C> missed)
      throws SQLException {
    super(missed);
    this.statement = new NamedStatement(connection, sql);
    this.binder = binder;
  }

  @Override
  void append(C change) throws SQLException {
    binder.bind(statement, change);
    statement.addBatch();
  }

  @Override
  List<C> execute(List<C> appended) throws SQLException {
    int[] counts = statement.executeBatch();
    List<C> without = new ArrayList<>(0);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        without.add(appended.get(i));
      }
    }
    return without;
  }

  @Override
  void clear() throws SQLException {
    statement.clearBatch();
  }
}
