package dev.imker.server.backup;

import dev.imker.model.ImkerException;
import dev.imker.model.PrivateFolder;
import dev.imker.server.members.BlobPlace;
import dev.imker.server.members.PoolMove;
import dev.imker.server.members.ServerVersion;
import dev.imker.store.blobs.BlobCopy;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.move.PoolSnapshot;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Backs up a whole pool while its servers run, and restores it. A backup is itself the data folder
 * of a pool, whatever the pool was kept in.
 *
 * <p>The order makes it consistent: first all files, then the database at one moment, then the
 * files added in the meantime. A file that the database refers to is removed minutes after the last
 * reference at the earliest, so it is copied in one of the two rounds. Files never change, so those
 * that are in the folder from an earlier backup are not copied again.
 *
 * @param progress is told what is going on, for people
 */
public record PoolBackup(Consumer<String> progress, Clock clock) {
  /** A setting of a pool that was restored: when, and from which backup. */
  public static final String RESTORED = "pool.restored";

  private static final String BLOBS = "blobs";
  private static final long MAX_SECRET_BYTES = 1 << 20;

  /**
   * What was done.
   *
   * @param damaged what could not be copied because it was damaged before
   */
  public record Report(long files, long bytes, List<String> damaged) {}

  /** Backs up a pool in its data folder. */
  public Report ofFolder(Path dataFolder, Path target) {
    requirePool(dataFolder);
    prepare(target);
    try (BlobStore files = TieredBlobs.openReadOnly(dataFolder.resolve(BLOBS))) {
      return backUp(
          files,
          target,
          dataFolder.toString(),
          fresh -> PoolSnapshot.ofFolder(dataFolder, fresh.resolve(PoolSnapshot.fileName())),
          () -> copySecrets(dataFolder, target));
    }
  }

  /** Backs up a pool in a PostgreSQL database. */
  public Report ofDatabase(String url, BlobPlace place, Path target) {
    prepare(target);
    try (BlobStore files = place.open(url, target)) {
      return backUp(
          files,
          target,
          PostgresStore.title(url),
          fresh -> PoolSnapshot.ofDatabase(url, fresh, progress),
          () -> unpackSecrets(target));
    }
  }

  private Report backUp(
      BlobStore files, Path target, String source, Consumer<Path> snapshot, Runnable secrets) {
    Path fresh = target.resolve("fresh");
    try (BlobStore kept = TieredBlobs.open(target.resolve(BLOBS))) {
      BlobCopy copy = new BlobCopy(files, kept);
      copy.run();
      progress.accept(copy.copied() + " files, " + copy.bytes() + " bytes");
      removeAll(fresh);
      PrivateFolder.create(fresh);
      String madeAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
      snapshot.accept(fresh);
      copy.run();
      Files.deleteIfExists(target.resolve(Manifest.NAME)); // neither the old nor the new one yet
      for (String end : List.of("-wal", "-shm")) {
        Files.deleteIfExists(target.resolve(PoolSnapshot.fileName() + end));
      }
      Path database = target.resolve(PoolSnapshot.fileName());
      PrivateFolder.closeFile(fresh.resolve(PoolSnapshot.fileName()));
      Files.move(
          fresh.resolve(PoolSnapshot.fileName()), database, StandardCopyOption.REPLACE_EXISTING);
      removeAll(fresh);
      secrets.run();
      new Manifest(
              ServerVersion.TEXT, madeAt, source, sha256(database), copy.copied(), copy.bytes())
          .write(target);
      return new Report(copy.copied(), copy.bytes(), copy.damaged());
    } catch (IOException e) {
      throw failed("The backup in " + target + " could not be made", e);
    }
  }

  private static void requirePool(Path folder) {
    if (!Files.isRegularFile(folder.resolve(PoolSnapshot.fileName()))) {
      throw new ImkerException("There is no pool in " + folder + ".");
    }
  }

  private static void prepare(Path target) {
    Path database = target.resolve(PoolSnapshot.fileName());
    if (Files.exists(database) && !Files.exists(target.resolve(Manifest.NAME))) {
      throw new ImkerException(
          target
              + " holds a pool that is not a complete backup. Choose another folder, or"
              + " remove it.");
    }
    try {
      PrivateFolder.create(target);
    } catch (IOException e) {
      throw failed("The folder " + target + " cannot be used", e);
    }
  }

  /** Small files beside the database: tokens, certificates, keys. */
  private static void copySecrets(Path from, Path to) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && !name.startsWith(PoolSnapshot.fileName())
            && !name.equals("lock")
            && !name.equals(Manifest.NAME)
            && !name.startsWith(".")
            && Files.size(file) <= MAX_SECRET_BYTES) {
          Files.copy(
              file,
              to.resolve(name),
              StandardCopyOption.REPLACE_EXISTING,
              StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    } catch (IOException e) {
      throw failed("The secrets in " + from + " cannot be copied", e);
    }
  }

  /** Servers that share a database pass their secrets on through it. */
  private void unpackSecrets(Path target) {
    try (SqliteStore store = SqliteStore.open(target)) {
      PoolMove.shareIdentity(target, store, clock);
    }
  }

  /**
   * Moves a pool from a PostgreSQL database into a folder.
   *
   * @throws ImkerException if a server runs on it, whose work would stay behind
   */
  public Report moveToFolder(String url, BlobPlace place, Path dataFolder) {
    PoolMove.requireNobodyRuns(url);
    if (Files.exists(dataFolder.resolve(PoolSnapshot.fileName()))) {
      throw new ImkerException("There is a pool in " + dataFolder + " already.");
    }
    Report report = ofDatabase(url, place, dataFolder);
    try {
      Files.deleteIfExists(dataFolder.resolve(Manifest.NAME)); // not a backup: it will change
    } catch (IOException e) {
      throw failed("The folder " + dataFolder + " cannot be used", e);
    }
    return report;
  }

  // ---------------------------------------------------------------- the way back

  /** Restores into a data folder that has no pool. */
  public Report toFolder(Path backup, Path dataFolder) {
    Manifest manifest = requireWhole(backup);
    if (Files.exists(dataFolder.resolve(PoolSnapshot.fileName()))) {
      throw new ImkerException(
          "There is a pool in "
              + dataFolder
              + ". Stop its server and move the folder away, or restore into another one"
              + " (--data).");
    }
    try {
      PrivateFolder.create(dataFolder);
      BlobCopy copy;
      try (BlobStore from = TieredBlobs.openReadOnly(backup.resolve(BLOBS));
          BlobStore to = TieredBlobs.open(dataFolder.resolve(BLOBS))) {
        copy = new BlobCopy(from, to);
        copy.run();
      }
      copySecrets(backup, dataFolder);
      // The database comes last: until then there is no pool that a server could start.
      Path fresh = dataFolder.resolve(PoolSnapshot.fileName() + ".new");
      Files.copy(
          backup.resolve(PoolSnapshot.fileName()), fresh, StandardCopyOption.REPLACE_EXISTING);
      PrivateFolder.closeFile(fresh);
      Files.move(fresh, dataFolder.resolve(PoolSnapshot.fileName()));
      try (SqliteStore store = SqliteStore.open(dataFolder)) {
        store.putSetting(RESTORED, restored(manifest));
      }
      return new Report(copy.copied(), copy.bytes(), copy.damaged());
    } catch (IOException e) {
      throw failed("The backup could not be restored to " + dataFolder, e);
    }
  }

  /** Restores into an empty PostgreSQL database. */
  public Report toDatabase(Path backup, String url, BlobPlace place) {
    Manifest manifest = requireWhole(backup);
    var moved = PoolMove.run(backup, url, place, progress);
    try (PostgresStore store = PostgresStore.open(url)) {
      store.putSetting(RESTORED, restored(manifest));
    }
    return new Report(moved.files(), moved.bytes(), List.of());
  }

  private String restored(Manifest manifest) {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS)
        + " from the backup of "
        + manifest.madeAt();
  }

  private static Manifest requireWhole(Path backup) {
    Manifest manifest =
        Manifest.read(backup)
            .orElseThrow(
                () ->
                    new ImkerException(
                        backup
                            + " is not a complete backup: it has no "
                            + Manifest.NAME
                            + ", which 'imker backup' writes last."));
    Path database = backup.resolve(PoolSnapshot.fileName());
    if (!Files.exists(database) || !sha256(database).equals(manifest.databaseSha256())) {
      throw new ImkerException(
          "The database in " + backup + " is not the one that was backed up. Use another backup.");
    }
    return manifest;
  }

  static Optional<String> wrongDatabase(Path backup) {
    try {
      requireWhole(backup);
      return Optional.empty();
    } catch (ImkerException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static String sha256(Path file) {
    try (DigestInputStream in =
        new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (IOException e) {
      throw failed("Cannot read " + file, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void removeAll(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }

  private static ImkerException failed(String what, IOException e) {
    return new ImkerException(what + ": " + e.getMessage(), e);
  }
}
