package dev.imker.server;

import dev.imker.store.BlobStore;
import dev.imker.store.PoolMigration;
import dev.imker.store.PostgresStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;

/** Moves a pool from the folder of its one server into a database that several can share. */
public final class PoolMove {
  private PoolMove() {}

  /**
   * @param files where the files of the pool go
   * @param progress is told what is going on, for people
   */
  public static PoolMigration.Report run(
      Path folder, String url, BlobPlace files, Consumer<String> progress) {
    try (PostgresStore store = PostgresStore.open(url);
        BlobStore blobs = files.open(url, folder)) {
      PoolMigration.Report report = new PoolMigration(folder, url, blobs, progress).run();
      // Agents and users find the pool they know: same tokens, same certificate.
      PoolIdentity.share(folder, store, Clock.systemUTC());
      return report;
    }
  }
}
