package dev.imker.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Changes of one kind on their way into one statement, executed together. */
final class Batch<C> {
  /** Sets the parameters of one execution. */
  interface Binder<C> {
    void bind(PreparedStatement statement, C change) throws SQLException;
  }

  /** Gets a change that its statement did not apply to. */
  interface Missed<C> {
    void accept(C change) throws SQLException;
  }

  private static final int MAX_PENDING = 4096;

  private final PreparedStatement statement;
  private final Binder<C> binder;
  private final Missed<C> missed;
  private final List<C> pending = new ArrayList<>();

  Batch(Connection connection, String sql, Binder<C> binder, Missed<C> missed) throws SQLException {
    this.statement = connection.prepareStatement(sql);
    this.binder = binder;
    this.missed = missed;
  }

  void add(C change) throws SQLException {
    binder.bind(statement, change);
    statement.addBatch();
    pending.add(change);
    if (pending.size() == MAX_PENDING) {
      flush();
    }
  }

  void flush() throws SQLException {
    if (pending.isEmpty()) {
      return;
    }
    int[] counts = statement.executeBatch();
    List<C> without = withoutEffect(counts);
    pending.clear();
    for (C change : without) {
      missed.accept(change);
    }
  }

  private List<C> withoutEffect(int[] counts) {
    List<C> found = new ArrayList<>(0);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        found.add(pending.get(i));
      }
    }
    return found;
  }

  void discard() throws SQLException {
    pending.clear();
    statement.clearBatch();
  }
}
