package dev.imker.cli.agent;

import dev.imker.agent.ExamFinding;
import dev.imker.server.backup.PoolBackup;
import dev.imker.store.StoreException;
import dev.imker.store.move.PoolSnapshot;
import dev.imker.store.sqlite.FolderReads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Whether the pool of this machine is not quite the one that it was. */
final class RestoredPool {
  private RestoredPool() {}

  static Optional<ExamFinding> finding(Path pool) {
    if (!Files.isRegularFile(pool.resolve(PoolSnapshot.fileName()))) {
      return Optional.empty();
    }
    try (FolderReads reads = FolderReads.open(pool)) {
      return reads
          .setting(PoolBackup.RESTORED)
          .map(
              when ->
                  ExamFinding.note(
                      "pool",
                      "the pool in " + pool + " was restored on " + when,
                      "Work submitted or finished after that backup is missing."));
    } catch (StoreException e) {
      return Optional.of(ExamFinding.note("pool", String.valueOf(e.getMessage()), ""));
    }
  }
}
