package dev.imker.store.internal.write;

import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedThing;
import dev.imker.store.internal.rows.StatementBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes what tasks share. Only the final state of a transaction is written: a counter that was
 * incremented a thousand times is one row.
 */
final class SharedWriter {
  private static final String PUT_THING =
      """
      INSERT INTO shared_thing (scope, kind, name, value, version, data)
      VALUES (:scope, :kind, :name, :value, :version, :data)
      ON CONFLICT (scope, kind, name) DO UPDATE SET value = excluded.value,
        version = excluded.version, data = excluded.data
      """;
  private static final String REMOVE_THING =
      "DELETE FROM shared_thing WHERE scope = :scope AND kind = :kind AND name = :name";
  private static final String PUT_ENTRY =
      """
      INSERT INTO shared_entry (number, scope, kind, name, task, lease, data)
      VALUES (:number, :scope, :kind, :name, :task, :lease, :data)
      ON CONFLICT (number) DO UPDATE SET data = excluded.data
      """;
  private static final String REMOVE_ENTRY = "DELETE FROM shared_entry WHERE number = :number";

  private final StatementBatch<SharedThing> putThings;
  private final StatementBatch<SharedKey> removeThings;
  private final StatementBatch<SharedEntry> putEntries;
  private final StatementBatch<Long> removeEntries;
  private final Map<SharedKey, Optional<SharedThing>> things = new HashMap<>();
  private final Map<Long, Optional<SharedEntry>> entries = new HashMap<>();

  SharedWriter(Connection connection) throws SQLException {
    putThings =
        new StatementBatch<>(
            connection,
            PUT_THING,
            (row, thing) -> {
              row.setString("scope", thing.key().scope());
              row.setInt("kind", thing.key().kind().ordinal());
              row.setString("name", thing.key().name());
              row.setLong("value", thing.value());
              row.setLong("version", thing.version());
              row.setBytes("data", thing.data());
            },
            _ -> {});
    removeThings =
        new StatementBatch<>(
            connection,
            REMOVE_THING,
            (row, key) -> {
              row.setString("scope", key.scope());
              row.setInt("kind", key.kind().ordinal());
              row.setString("name", key.name());
            },
            _ -> {});
    putEntries =
        new StatementBatch<>(
            connection,
            PUT_ENTRY,
            (row, entry) -> {
              row.setLong("number", entry.number());
              row.setString("scope", entry.key().scope());
              row.setInt("kind", entry.key().kind().ordinal());
              row.setString("name", entry.key().name());
              row.setString("task", entry.task());
              row.setString("lease", entry.lease());
              row.setBytes("data", entry.data());
            },
            _ -> {});
    // Entries that were added and removed in one transaction never had a row.
    removeEntries =
        new StatementBatch<>(
            connection, REMOVE_ENTRY, (row, number) -> row.setLong("number", number), _ -> {});
  }

  void put(SharedThing thing) {
    things.put(thing.key(), Optional.of(thing));
  }

  void remove(SharedKey key) {
    things.put(key, Optional.empty());
  }

  void put(SharedEntry entry) {
    entries.put(entry.number(), Optional.of(entry));
  }

  void remove(SharedEntry entry) {
    entries.put(entry.number(), Optional.empty());
  }

  void flush() throws SQLException {
    if (things.isEmpty() && entries.isEmpty()) {
      return;
    }
    for (Map.Entry<SharedKey, Optional<SharedThing>> thing : things.entrySet()) {
      if (thing.getValue().isPresent()) {
        putThings.add(thing.getValue().get());
      } else {
        removeThings.add(thing.getKey());
      }
    }
    for (Map.Entry<Long, Optional<SharedEntry>> entry : entries.entrySet()) {
      if (entry.getValue().isPresent()) {
        putEntries.add(entry.getValue().get());
      } else {
        removeEntries.add(entry.getKey());
      }
    }
    things.clear();
    entries.clear();
    putThings.flush();
    removeThings.flush();
    putEntries.flush();
    removeEntries.flush();
  }

  void discard() throws SQLException {
    things.clear();
    entries.clear();
    putThings.discard();
    removeThings.discard();
    putEntries.discard();
    removeEntries.discard();
  }
}
