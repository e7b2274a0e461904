package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Content-addressed files; usable from any thread. Errors are {@code StoreException}s. */
public interface BlobStore extends AutoCloseable {
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
   * Notes that somebody relies on a blob from now on: {@link #deleteUntouched} leaves it alone for
   * a while. Returns whether it is there; a blob that was just stored counts as touched.
   */
  boolean touch(BlobId blob, long nowMillis);

  /**
   * Removes a blob unless it was stored or touched after a moment; returns the bytes that became
   * free. A touch that comes at the same time either keeps the blob or tells that it is gone.
   */
  long deleteUntouched(BlobId blob, long beforeMillis);

  /** Whether {@link #deleteUntouched} would remove a blob now. */
  boolean isUntouched(BlobId blob, long beforeMillis);

  /** Removes a blob; returns whether it was there. */
  boolean delete(BlobId blob);

  /** Tells every blob, in no particular order. */
  void forEach(Consumer<BlobId> action);

  @Override
  default void close() {}
}
