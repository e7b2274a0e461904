package dev.imker.server.backup;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.server.members.BlobPlace;
import dev.imker.store.BoardReads;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.StoreException;
import dev.imker.store.blobs.BlobMissingException;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.move.PoolSnapshot;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.store.sqlite.FolderReads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a pool or a backup: the database itself, the presence of every file it refers to, and
 * the hash of every file. Nothing is changed, and servers may run.
 */
public final class PoolVerification {
  private static final int PAGE = 500;
  private static final int READ_BYTES = 256 << 10;

  /** What was looked at, and what is wrong. */
  public record Report(long jobs, long files, long bytes, List<String> problems) {}

  private final Consumer<String> progress;
  private final List<String> problems = new ArrayList<>();
  private long jobs;
  private long files;
  private long bytes;

  /**
   * @param progress is told what is going on, for people
   */
  public PoolVerification(Consumer<String> progress) {
    this.progress = progress;
  }

  /** Of a data folder or a backup. */
  public Report ofFolder(Path folder) {
    if (!Files.isRegularFile(folder.resolve(PoolSnapshot.fileName()))) {
      throw new ImkerException("There is neither a pool nor a backup in " + folder + ".");
    }
    if (Files.exists(folder.resolve(Manifest.NAME))) {
      PoolBackup.wrongDatabase(folder).ifPresent(problems::add);
    } else {
      progress.accept("no " + Manifest.NAME + ": a data folder, not a backup");
    }
    problems.addAll(PoolSnapshot.damage(folder));
    if (!problems.isEmpty()) {
      return report();
    }
    try (FolderReads reads = FolderReads.open(folder);
        BlobStore blobs = TieredBlobs.openReadOnly(folder.resolve("blobs"))) {
      references(reads.reads(), reads.board(), blobs);
      contents(blobs);
    } catch (StoreException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    return report();
  }

  /** Of a pool in a PostgreSQL database. */
  public Report ofDatabase(String url, BlobPlace place, Path own) {
    if (PostgresStore.foundSchema(url) != PostgresStore.schemaVersion()) {
      throw new ImkerException(
          "The database has a different schema version than this version of Imker supports.");
    }
    try (PostgresStore store = PostgresStore.open(url);
        BlobStore blobs = place.open(url, own)) {
      references(store.reads(), store.board(), blobs);
      contents(blobs);
    }
    return report();
  }

  private void references(Reads reads, BoardReads board, BlobStore blobs) {
    Set<BlobId> missing = new HashSet<>();
    @Nullable JobId before = null;
    while (true) {
      List<JobRecord> page = reads.jobs(JobFilter.ALL, before, PAGE);
      if (page.isEmpty()) {
        break;
      }
      before = page.getLast().id();
      for (JobRecord job : page) {
        jobs++;
        reads.forEachBlob(
            job.id(),
            (blob, size) -> {
              if (!blobs.has(blob) && missing.add(blob)) {
                problems.add("file " + blob + " of job " + job.id() + " is missing");
              }
            });
      }
    }
    board.forEachBlob(
        System.currentTimeMillis(),
        (project, blob) -> {
          if (!blobs.has(blob) && missing.add(blob)) {
            problems.add("file " + blob + " of a blackboard is missing");
          }
        });
    progress.accept(jobs + " jobs");
  }

  private void contents(BlobStore blobs) {
    List<BlobId> all = new ArrayList<>();
    blobs.forEach(all::add);
    for (BlobId blob : all) {
      content(blobs, blob);
    }
    progress.accept(files + " files, " + bytes + " bytes");
  }

  private void content(BlobStore blobs, BlobId blob) {
    try (InputStream in = blobs.open(blob)) {
      if (!hash(in).equals(blob.sha256())) {
        problems.add("the content of file " + blob + " does not match its hash");
      }
      files++;
    } catch (BlobMissingException e) {
      return; // removed meanwhile
    } catch (IOException e) {
      problems.add("file " + blob + " cannot be read: " + e.getMessage());
    }
  }

  private String hash(InputStream in) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[READ_BYTES];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        bytes += n;
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Report report() {
    return new Report(jobs, files, bytes, List.copyOf(problems));
  }
}
