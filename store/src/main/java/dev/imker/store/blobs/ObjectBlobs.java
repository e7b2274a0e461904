package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Blobs as objects in a store that speaks S3, for pools whose servers share a database. The
 * database records which blobs exist and under which name each content is stored. Names are never
 * reused, so a blob that is deleted by one server and stored again by another at the same time is
 * kept. Every object is recorded before it is created, so what a crash leaves behind is found and
 * removed. Small blobs are in the database itself.
 */
public final class ObjectBlobs implements BlobStore {
  private static final long LEFTOVER_MILLIS = 24 * 3600 * 1000L;
  private static final int SHARD_DIGITS = 2;

  private final PostgresBlobs ledger;
  private final S3Bucket bucket;
  private final S3Place place;
  private final Path spool;

  private ObjectBlobs(PostgresBlobs ledger, S3Place place, S3Bucket bucket, Path spool) {
    this.ledger = ledger;
    this.bucket = bucket;
    this.place = place;
    this.spool = spool;
  }

  /**
   * Opens the blobs of a database that {@code PostgresStore} has brought up to date.
   *
   * @param spool a folder of this server only, in which uploads are gathered
   * @throws StoreException if the store cannot be used; the message says what to do
   */
  public static ObjectBlobs open(String url, S3Place place, Path spool) {
    return open(url, place, new S3Bucket(place), spool);
  }

  static ObjectBlobs open(String url, S3Place place, S3Bucket bucket, Path spool) {
    PostgresBlobs ledger = null;
    boolean opened = false;
    try {
      bucket.probe();
      emptied(spool);
      ledger = PostgresBlobs.open(url);
      ObjectBlobs blobs = new ObjectBlobs(ledger, place, bucket, spool);
      blobs.removeLeftovers(System.currentTimeMillis() - LEFTOVER_MILLIS);
      opened = true;
      return blobs;
    } finally {
      if (!opened) {
        bucket.close();
        if (ledger != null) {
          ledger.close();
        }
      }
    }
  }

  /** Whether a failure is due to a temporary problem of the store, so that a retry may succeed. */
  public static boolean isAway(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SdkException error) {
        return S3Errors.isAway(error);
      }
    }
    return false;
  }

  private static void emptied(Path spool) {
    try {
      Files.createDirectories(spool);
      try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(spool)) {
        for (Path leftover : leftovers) {
          Files.deleteIfExists(leftover);
        }
      }
    } catch (IOException e) {
      throw FolderBlobs.failed("The folder " + spool + " cannot be used for uploads", e);
    }
  }

  /** Removes objects that are not the content of a blob. */
  void removeLeftovers(long beforeMillis) {
    ledger.forEachUnusedObject(beforeMillis, this::removeBody);
  }

  @Override
  public String title() {
    return place.toString();
  }

  @Override
  public boolean has(BlobId blob) {
    return ledger.has(blob);
  }

  @Override
  public OptionalLong size(BlobId blob) {
    return ledger.size(blob);
  }

  @Override
  public BlobUpload upload(BlobId expected) {
    return new GatheredUpload(expected, ledger::keepSmall, () -> start(expected));
  }

  @Override
  public BlobUpload upload() {
    return new GatheredUpload(null, ledger::keepSmall, () -> start(null));
  }

  private BlobUpload start(@Nullable BlobId expected) {
    try {
      return new FileUpload(spool, expected, this::keep);
    } catch (IOException e) {
      throw FolderBlobs.failed("An upload cannot be started in " + spool, e);
    }
  }

  /** Stores a file as the content of a blob, unless the blob has content. */
  private void keep(BlobId blob, Path file, FileChannel open) throws IOException {
    long size = open.size();
    open.close();
    if (ledger.touch(blob, System.currentTimeMillis())) {
      return;
    }
    long body = ledger.newBody();
    String name = name(blob, body);
    ledger.addObject(body, name, System.currentTimeMillis());
    bucket.put(name, file, size);
    if (!ledger.name(blob, body, size, System.currentTimeMillis())) {
      removeBody(body);
    }
  }

  private String name(BlobId blob, long body) {
    String hash = blob.sha256();
    return place.prefix() + hash.substring(0, SHARD_DIGITS) + "/" + hash + "-" + body;
  }

  @Override
  public InputStream open(BlobId blob, long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("negative offset " + offset);
    }
    PostgresBlobs.Content content = ledger.content(blob);
    String name = content.object();
    if (name == null) {
      return ledger.open(blob, offset);
    }
    try {
      return new ObjectInput(bucket, name, blob, content.size(), offset);
    } catch (StoreException e) {
      if (S3Errors.isMissing(e) && !ledger.has(blob)) {
        throw new BlobMissingException(blob);
      }
      throw e;
    }
  }

  @Override
  public Optional<Path> path(BlobId blob) {
    return Optional.empty();
  }

  @Override
  public boolean touch(BlobId blob, long nowMillis) {
    return ledger.touch(blob, nowMillis);
  }

  @Override
  public Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun) {
    return dryRun
        ? ledger.freeUntouched(blobs, beforeMillis, true)
        : ledger.forgetAll(
            blobs, beforeMillis, all -> all.forEach(gone -> removeBody(gone.body())));
  }

  @Override
  public boolean delete(BlobId blob) {
    return freeUntouched(List.of(blob), Long.MAX_VALUE, false).blobs() > 0;
  }

  /** The record is deleted last: as long as it exists, the object is not lost track of. */
  private void removeBody(long body) {
    ledger.object(body).ifPresent(bucket::delete);
    ledger.removeObject(body);
    ledger.removeBody(body);
  }

  @Override
  public void forEach(Consumer<BlobId> action) {
    ledger.forEach(action);
  }

  @Override
  public void close() {
    bucket.close();
    ledger.close();
  }
}
