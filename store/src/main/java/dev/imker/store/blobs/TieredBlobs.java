package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreBrokenException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Small blobs in a database, large ones in a folder, each a file. Content of one size always goes
 * to the same place; blobs of versions that knew files only are found where they are.
 */
public final class TieredBlobs implements BlobStore {
  private final BlobStore small;
  private final GatheredUpload.Keeper keeper;
  private final FolderBlobs large;

  private TieredBlobs(BlobStore small, GatheredUpload.Keeper keeper, FolderBlobs large) {
    this.small = small;
    this.keeper = keeper;
    this.large = large;
  }

  /**
   * Opens a folder, creates it if missing, and removes what uploads left that never finished. The
   * caller sees to it that nobody else has the folder open.
   */
  public static BlobStore open(Path folder) {
    FolderBlobs large = FolderBlobs.open(folder);
    SmallBlobs small = SmallBlobs.open(folder);
    return new TieredBlobs(small, small::keep, large);
  }

  /** Opens a folder that servers share; small blobs are in the database that they share as well. */
  public static BlobStore openShared(Path folder, String database) {
    FolderBlobs large = FolderBlobs.openShared(folder);
    PostgresBlobs small = PostgresBlobs.open(database);
    return new TieredBlobs(small, small::keepSmall, large);
  }

  /** Opens a folder read-only; others may have it open. */
  public static BlobStore openReadOnly(Path folder) {
    FolderBlobs large = FolderBlobs.openReadOnly(folder);
    return SmallBlobs.openReadOnly(folder)
        .<BlobStore>map(small -> new TieredBlobs(small, small::keep, large))
        .orElse(large);
  }

  @Override
  public String title() {
    return large.title();
  }

  @Override
  public boolean has(BlobId blob) {
    return small.has(blob) || large.has(blob);
  }

  @Override
  public OptionalLong size(BlobId blob) {
    OptionalLong size = small.size(blob);
    return size.isPresent() ? size : large.size(blob);
  }

  @Override
  public BlobUpload upload(BlobId expected) {
    return start(expected);
  }

  @Override
  public BlobUpload upload() {
    return start(null);
  }

  private BlobUpload start(@Nullable BlobId expected) {
    NonBlockingThread.check("write a file");
    return new GatheredUpload(
        expected, keeper, () -> expected == null ? large.upload() : large.upload(expected));
  }

  @Override
  public InputStream open(BlobId blob, long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("negative offset " + offset);
    }
    return small.has(blob) ? small.open(blob, offset) : large.open(blob, offset);
  }

  @Override
  public Optional<Path> path(BlobId blob) {
    return large.path(blob);
  }

  @Override
  public boolean touch(BlobId blob, long nowMillis) {
    // Both: a file of an earlier version may be stored a second time, as a small one.
    boolean there = small.touch(blob, nowMillis);
    return large.touch(blob, nowMillis) || there;
  }

  @Override
  public Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun) {
    // Large ones first: on a full disk a database can delete only after a file went.
    return large
        .freeUntouched(blobs, beforeMillis, dryRun)
        .plus(small.freeUntouched(blobs, beforeMillis, dryRun));
  }

  @Override
  public boolean delete(BlobId blob) {
    boolean gone = small.delete(blob);
    return large.delete(blob) || gone;
  }

  @Override
  public void forEach(Consumer<BlobId> action) {
    small.forEach(action);
    large.forEach(action);
  }

  @Override
  public CompletableFuture<StoreBrokenException> failure() {
    return small.failure();
  }

  @Override
  public boolean shrink() {
    return small.shrink();
  }

  @Override
  public void close() {
    small.close();
  }
}
