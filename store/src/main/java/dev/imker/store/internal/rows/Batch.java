package dev.imker.store.internal.rows;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Changes of one kind that are executed together in one statement. */
public abstract class Batch<C> {
  /** Sets the values of one row. */
  public interface Binder<C> {
    void bind(RowSink row, C change) throws SQLException;
  }

  /** Receives a change to which its statement did not apply. */
  public interface Missed<C> {
    void accept(C change) throws SQLException;
  }

  private static final int MAX_PENDING = 4096;

  private final Missed<C> missed;
  private final List<C> pending = new ArrayList<>();

  Batch(Missed<C> missed) {
    this.missed = missed;
  }

  public void add(C change) throws SQLException {
    append(change);
    pending.add(change);
    if (pending.size() == MAX_PENDING) {
      flush();
    }
  }

  public void flush() throws SQLException {
    if (pending.isEmpty()) {
      return;
    }
    List<C> without = execute(pending);
    pending.clear();
    for (C change : without) {
      missed.accept(change);
    }
  }

  public void discard() throws SQLException {
    pending.clear();
    clear();
  }

  abstract void append(C change) throws SQLException;

  /** Executes the appended changes and returns those without an effect. */
  abstract List<C> execute(List<C> appended) throws SQLException;

  abstract void clear() throws SQLException;
}
