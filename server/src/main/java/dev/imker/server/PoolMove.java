package dev.imker.server;

import dev.imker.store.BlobStore;
import dev.imker.store.FolderBlobs;
import dev.imker.store.PoolMigration;
import dev.imker.store.PostgresBlobs;
import dev.imker.store.PostgresStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Consumer;

/** Moves a pool from the folder of its one server into a database that several can share. */
public final class PoolMove {
  private PoolMove() {}

  /**
   * @param sharedFiles a folder for files that all servers see; if empty, they go to the database
   * @param progress is told what is going on, for people
   */
  public static PoolMigration.Report run(
      Path folder, String url, Optional<Path> sharedFiles, Consumer<String> progress) {
    try (PostgresStore store = PostgresStore.open(url)) {
      PoolMigration.Report report;
      if (sharedFiles.isPresent()) {
        report = move(folder, url, FolderBlobs.openShared(sharedFiles.get()), progress);
      } else {
        try (PostgresBlobs blobs = PostgresBlobs.open(url)) {
          report = move(folder, url, blobs, progress);
        }
      }
      // Agents and users find the pool they know: same tokens, same certificate.
      PoolIdentity.share(folder, store, Clock.systemUTC());
      return report;
    }
  }

  private static PoolMigration.Report move(
      Path folder, String url, BlobStore blobs, Consumer<String> progress) {
    return new PoolMigration(folder, url, blobs, progress).run();
  }
}
