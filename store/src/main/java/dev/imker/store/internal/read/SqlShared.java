package dev.imker.store.internal.read;

import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.model.shared.SharedThing;
import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Reads what tasks share, when a server begins to lead. */
public final class SqlShared {
  private static final SharedKind[] KINDS = SharedKind.values();

  private SqlShared() {}

  public static void tell(
      Connection connection, Consumer<SharedThing> things, Consumer<SharedEntry> entries)
      throws SQLException {
    Rows.forEach(
        connection,
        row ->
            things.accept(
                new SharedThing(
                    new SharedKey(row.getString(1), KINDS[row.getInt(2)], row.getString(3)),
                    row.getLong(4),
                    row.getLong(5),
                    row.getBytes(6))),
        "SELECT scope, kind, name, value, version, data FROM shared_thing");
    Rows.forEach(
        connection,
        row ->
            entries.accept(
                new SharedEntry(
                    row.getLong(1),
                    new SharedKey(row.getString(2), KINDS[row.getInt(3)], row.getString(4)),
                    row.getString(5),
                    row.getString(6),
                    row.getBytes(7))),
        "SELECT number, scope, kind, name, task, lease, data FROM shared_entry ORDER BY number");
  }
}
