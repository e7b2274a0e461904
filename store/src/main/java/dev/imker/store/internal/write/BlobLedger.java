package dev.imker.store.internal.write;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.BlobId;
import dev.imker.model.change.BlobsDisowned;
import dev.imker.model.change.BlobsOwned;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The owners of files and their total size. A file counts once per user, however many of the user's
 * tasks have it.
 */
final class BlobLedger {
  private static final String OWN =
      """
      INSERT INTO blob_owner (pool_user, blob, size, at) VALUES (:pool_user, :blob, :size, :at)
      ON CONFLICT (pool_user, blob) DO NOTHING
      """;
  private static final String FRESHEN =
      "UPDATE blob_owner SET at = :at WHERE pool_user = :pool_user AND blob = :blob AND at < :at";
  private static final String DISOWN =
      "DELETE FROM blob_owner WHERE pool_user = :pool_user AND blob = :blob AND at < :before"
          + " RETURNING size";
  private static final String ADD_BYTES =
      """
      INSERT INTO storage_sum (pool_user, bytes) VALUES (:pool_user, :bytes)
      ON CONFLICT (pool_user) DO UPDATE SET bytes = storage_sum.bytes + excluded.bytes
      """;

  private record Key(int user, BlobId blob) {}

  private record Owned(long size, long atMillis) {}

  private final Connection connection;
  private final Names names;
  private final Map<Key, Owned> pending = new LinkedHashMap<>();

  BlobLedger(Connection connection, Names names) {
    this.connection = connection;
    this.names = names;
  }

  void own(int user, BlobId blob, long size, long atMillis) {
    pending.put(new Key(user, blob), new Owned(size, atMillis));
  }

  void own(BlobsOwned owned) throws SQLException {
    int user = names.user(owned.user());
    owned.sizes().forEach((blob, size) -> own(user, blob, size, owned.atMillis()));
  }

  void disown(BlobsDisowned gone) throws SQLException {
    flush();
    int user = names.user(gone.user());
    long bytes = 0;
    for (BlobId blob : gone.blobs()) {
      bytes +=
          Rows.first(
                  connection,
                  row -> row.getLong(1),
                  DISOWN,
                  bind("pool_user", user),
                  bind("blob", blob.sha256()),
                  bind("before", gone.beforeMillis()))
              .orElse(0L);
    }
    addBytes(user, -bytes);
  }

  void flush() throws SQLException {
    if (pending.isEmpty()) {
      return;
    }
    Map<Integer, Long> added = new LinkedHashMap<>();
    for (Map.Entry<Key, Owned> entry : pending.entrySet()) {
      Key key = entry.getKey();
      Owned owned = entry.getValue();
      String blob = key.blob.sha256();
      if (Rows.update(
              connection,
              OWN,
              bind("pool_user", key.user),
              bind("blob", blob),
              bind("size", owned.size),
              bind("at", owned.atMillis))
          > 0) {
        added.merge(key.user, owned.size, Long::sum);
      } else {
        Rows.update(
            connection,
            FRESHEN,
            bind("at", owned.atMillis),
            bind("pool_user", key.user),
            bind("blob", blob));
      }
    }
    pending.clear();
    for (Map.Entry<Integer, Long> entry : added.entrySet()) {
      addBytes(entry.getKey(), entry.getValue());
    }
  }

  private void addBytes(int user, long bytes) throws SQLException {
    if (bytes != 0) {
      Rows.update(connection, ADD_BYTES, bind("pool_user", user), bind("bytes", bytes));
    }
  }

  void discard() {
    pending.clear();
  }
}
