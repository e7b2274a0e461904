package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreBrokenException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Content-addressed files; usable from any thread. Errors are {@code StoreException}s. */
public interface BlobStore extends AutoCloseable {
  long BLOCK_BYTES = 4096;
  long ROW_BYTES = 120;

  /** A description of the location for people, without secrets. */
  String title();

  boolean has(BlobId blob);

  /** The size in bytes, empty if there is no such blob. */
  OptionalLong size(BlobId blob);

  /** Starts writing a blob whose hash is known; {@link BlobUpload#finish()} checks it. */
  BlobUpload upload(BlobId expected);

  /** Starts writing a blob with an unknown hash. */
  BlobUpload upload();

  /** Content of a blob from its start; throws {@link BlobMissingException}. */
  default InputStream open(BlobId blob) {
    return open(blob, 0);
  }

  /** Content of a blob from an offset on; throws {@link BlobMissingException}. */
  InputStream open(BlobId blob, long offset);

  /** The file that holds exactly this blob, where there is one; for reading only. */
  Optional<Path> path(BlobId blob);

  /**
   * Records that somebody relies on a blob from now on, so that {@link #freeUntouched} keeps it for
   * a while. Returns whether it exists; a newly stored blob counts as touched.
   */
  boolean touch(BlobId blob, long nowMillis);

  /**
   * What was or would be freed.
   *
   * @param diskBytes disk space of the content
   */
  record Freed(long blobs, long diskBytes) {
    public static final Freed NOTHING = new Freed(0, 0);

    public Freed plus(Freed other) {
      return new Freed(blobs + other.blobs, diskBytes + other.diskBytes);
    }

    /** Adds a blob of this size. */
    Freed plus(long size) {
      return new Freed(blobs + 1, diskBytes + BlobStore.diskBytes(size));
    }
  }

  /**
   * Removes those of the given blobs that were neither stored nor touched since the given time. A
   * concurrent touch either keeps the blob or reports that it is gone.
   *
   * @param dryRun only reports what would be removed
   */
  Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun);

  /**
   * The approximate disk space of a blob: whole blocks if it is large, otherwise a database row
   * with an index entry.
   */
  static long diskBytes(long size) {
    return size > GatheredUpload.MAX_BYTES
        ? (size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES
        : size + ROW_BYTES;
  }

  /**
   * Releases a part of the space that removed blobs left in a database; returns whether there is
   * more. Callers pause between calls, so that nobody else waits for long.
   */
  default boolean shrink() {
    return false;
  }

  /** Completes when nothing can be stored any more until it is reopened. */
  default CompletableFuture<StoreBrokenException> failure() {
    return new CompletableFuture<>();
  }

  /** Removes a blob; returns whether it existed. */
  boolean delete(BlobId blob);

  /** Passes on every blob, in no particular order. */
  void forEach(Consumer<BlobId> action);

  @Override
  default void close() {}
}
