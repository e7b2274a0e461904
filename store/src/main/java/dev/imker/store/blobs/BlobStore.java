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

  /** Where it keeps them, for people; without secrets. */
  String title();

  boolean has(BlobId blob);

  /** The size in bytes, empty if there is no such blob. */
  OptionalLong size(BlobId blob);

  /** Starts writing a blob whose hash is known; {@link BlobUpload#finish()} checks it. */
  BlobUpload upload(BlobId expected);

  /** Starts writing a blob whose hash is not known yet. */
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
   * Notes that somebody relies on a blob from now on: {@link #freeUntouched} leaves it alone for a
   * while. Returns whether it is there; a blob that was just stored counts as touched.
   */
  boolean touch(BlobId blob, long nowMillis);

  /**
   * What was freed, or would be.
   *
   * @param diskBytes what the content took on disk
   */
  record Freed(long blobs, long diskBytes) {
    public static final Freed NOTHING = new Freed(0, 0);

    public Freed plus(Freed other) {
      return new Freed(blobs + other.blobs, diskBytes + other.diskBytes);
    }

    /** One blob more, of this size. */
    Freed plus(long size) {
      return new Freed(blobs + 1, diskBytes + BlobStore.diskBytes(size));
    }
  }

  /**
   * Removes those of some blobs that were neither stored nor touched since a moment. A touch that
   * comes at the same time either keeps the blob or tells that it is gone.
   *
   * @param dryRun only tells what would be removed
   */
  Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun);

  /**
   * About how much of a disk a blob takes: whole blocks if it is large, otherwise a row of a
   * database with an entry in an index.
   */
  static long diskBytes(long size) {
    return size > GatheredUpload.MAX_BYTES
        ? (size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES
        : size + ROW_BYTES;
  }

  /**
   * Gives a little of the space back that removed blobs left in a database; returns whether there
   * is more. Whoever calls it pauses between, so that nobody else waits for long.
   */
  default boolean shrink() {
    return false;
  }

  /** Completes when nothing can be stored any more until it is opened anew. */
  default CompletableFuture<StoreBrokenException> failure() {
    return new CompletableFuture<>();
  }

  /** Removes a blob; returns whether it was there. */
  boolean delete(BlobId blob);

  /** Tells every blob, in no particular order. */
  void forEach(Consumer<BlobId> action);

  @Override
  default void close() {}
}
