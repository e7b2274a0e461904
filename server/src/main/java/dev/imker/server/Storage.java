package dev.imker.server;

import dev.imker.model.ImkerException;
import dev.imker.model.PrivateFolder;
import dev.imker.server.members.BlobPlace;
import dev.imker.server.members.ServerBeat;
import dev.imker.server.members.SharedPool;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Opens the storage of a server. */
record Storage(ServerSettings settings) {
  PoolStore openStore() {
    Path folder = settings.dataFolder();
    try {
      PrivateFolder.create(folder);
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot create the data folder %s (%s). Choose another one with --data DIR."
              .formatted(folder, reason(e)),
          e);
    }
    if (settings.shared().isOn()) {
      ServerBeat.checkUpgrade(settings.shared());
    }
    return settings.shared().isOn()
        ? PostgresStore.open(settings.shared().database())
        : SqliteStore.open(folder);
  }

  private static String reason(IOException error) {
    if (error instanceof AccessDeniedException denied) {
      return "no permission for " + denied.getFile();
    }
    return error instanceof FileSystemException file
        ? Objects.requireNonNullElse(file.getReason(), "not writable") + ": " + file.getFile()
        : String.valueOf(error.getMessage());
  }

  /** On whose disks it is kept, as far as these are disks of this server. */
  List<Path> folders() {
    return settings.shared().isOn() && settings.shared().blobs() instanceof BlobPlace.InFolder files
        ? List.of(settings.dataFolder(), files.folder())
        : List.of(settings.dataFolder());
  }

  BlobStore openBlobs() {
    SharedPool shared = settings.shared();
    if (!shared.isOn()) {
      return TieredBlobs.open(settings.dataFolder().resolve("blobs"));
    }
    return shared.blobs().open(shared.database(), settings.dataFolder());
  }
}
