package dev.imker.server.members;

import dev.imker.coord.ServerRegister;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.move.PoolMigration;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/** Moves a pool from the folder of its one server into a database that several can share. */
public final class PoolMove {
  private PoolMove() {}

  /**
   * @throws ImkerException if a server runs on a database
   */
  public static void requireNobodyRuns(String url) {
    List<ServerRegister.Entry> running = ServerBeat.runningBeside(SharedPool.of(url));
    if (!running.isEmpty()) {
      throw new ImkerException(
          "The server at "
              + running.getFirst().self().urls()
              + " is running on this database. Stop it first: anything it does meanwhile"
              + " would be left behind.");
    }
  }

  /** Brings the secrets that servers of a pool share into a folder. */
  public static void shareIdentity(Path folder, PoolStore store, Clock clock) {
    PoolIdentity.share(folder, store, clock);
  }

  /**
   * @param files where the files of the pool go
   * @param progress is told what is going on, for people
   */
  public static PoolMigration.Report run(
      Path folder, String url, BlobPlace files, Consumer<String> progress) {
    requireSecretsGoAlong(folder);
    try (PostgresStore store = PostgresStore.open(url);
        BlobStore blobs = files.open(url, folder)) {
      PoolMigration.Report report = new PoolMigration(folder, url, blobs, progress).run();
      // Agents and users find the pool they know: same tokens, same certificate.
      PoolIdentity.share(folder, store, Clock.systemUTC());
      return report;
    }
  }

  /** The key of jobs' secrets is passed on only where the pool has a secret to encrypt it by. */
  private static void requireSecretsGoAlong(Path folder) {
    if (PoolIdentity.secret(folder).isPresent()) {
      return;
    }
    try (PoolStore store = SqliteStore.open(folder)) {
      if (JobSecrets.any(store)) {
        throw new ImkerException(
            "This pool stores secrets of jobs (imker secret ls), which other servers"
                + " could not decrypt. Set IMKER_SECRET for this command and for all servers,"
                + " then try again.");
      }
    }
  }
}
