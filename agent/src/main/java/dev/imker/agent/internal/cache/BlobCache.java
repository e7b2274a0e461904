package dev.imker.agent.internal.cache;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blobs kept on this machine, shared by all its agents. A blob is in the cache when the file with
 * its name is: files get there by a rename after their content was checked. What was downloaded of
 * a blob before a failure is kept and continued.
 *
 * <p>Tasks get copies, never the cached file itself: a task runs as the same user as the agent and
 * could write through a hard link whatever the file's mode says. Where the file system can, the
 * copy shares its blocks with the original (copy_file_range on btrfs and xfs) and costs nothing.
 *
 * <p>The longest unused blobs go when the limit is exceeded. The sum is taken anew after every
 * twentieth part of the limit, so the folder may exceed it by that much per agent.
 */
public final class BlobCache {
  private static final int ATTEMPTS = 6;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final Duration TOUCH_INTERVAL = Duration.ofMinutes(1);

  private final Path blobs;
  private final Path partial;
  private final FolderLocks locks;
  private final Eviction eviction;
  private final long sumUpAfterBytes;
  private final AtomicLong addedBytes = new AtomicLong();

  public BlobCache(Path folder, long limitBytes) throws IOException {
    this.blobs = Files.createDirectories(folder.resolve("blobs"));
    this.partial = Files.createDirectories(folder.resolve("partial"));
    this.locks = new FolderLocks(folder.resolve("locks"));
    this.eviction = new Eviction(blobs, limitBytes);
    this.sumUpAfterBytes = Math.max(1, limitBytes / 20);
  }

  public boolean has(BlobId blob) {
    return Files.exists(place(blob));
  }

  /** Copies a blob to a new file, fetching it first if it is not here. */
  public void copyTo(BlobId blob, Path target, BlobSource source)
      throws IOException, InterruptedException {
    for (int i = 0; ; i++) {
      Path cached = fetch(blob, source);
      try {
        Files.copy(cached, target);
        return;
      } catch (NoSuchFileException e) {
        // Another agent made room between our look and our copy.
        if (i == ATTEMPTS || !e.getFile().equals(cached.toString())) {
          throw e;
        }
      }
    }
  }

  /** Makes sure that a blob is here; the file returned must not be changed. */
  public Path fetch(BlobId blob, BlobSource source) throws IOException, InterruptedException {
    Path place = place(blob);
    if (touch(place)) {
      return place;
    }
    try (var _ = locks.hold(blob.sha256().substring(0, 2))) {
      if (!touch(place)) {
        download(blob, source, place);
      }
    }
    if (addedBytes.addAndGet(Files.size(place)) >= sumUpAfterBytes) {
      addedBytes.set(0);
      try (var _ = locks.hold("eviction")) {
        eviction.makeRoom(place);
      }
    }
    return place;
  }

  private Path place(BlobId blob) {
    return blobs.resolve(blob.sha256().substring(0, 2)).resolve(blob.sha256());
  }

  /** Notes that a blob is in use; false if it is not here. */
  private static boolean touch(Path place) throws IOException {
    try {
      Instant used = Files.getLastModifiedTime(place).toInstant();
      Instant now = Instant.now();
      if (Duration.between(used, now).compareTo(TOUCH_INTERVAL) > 0) {
        Files.setLastModifiedTime(place, FileTime.from(now));
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private void download(BlobId blob, BlobSource source, Path place)
      throws IOException, InterruptedException {
    Path file = partial.resolve(blob.sha256());
    long pauseMillis = FIRST_PAUSE_MILLIS;
    for (int attempt = 1; ; attempt++) {
      try {
        receive(blob, source, file);
        break;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw BlobException.temporary("Could not fetch blob " + blob + ": " + e.getMessage(), e);
        }
        Thread.sleep(pauseMillis);
        pauseMillis *= 2;
      }
    }
    Files.createDirectories(place.getParent());
    Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
    Files.setLastModifiedTime(place, FileTime.from(Instant.now()));
  }

  private static void receive(BlobId blob, BlobSource source, Path file)
      throws IOException, InterruptedException {
    try (FileChannel out =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MessageDigest digest = Sha256.digest();
      long have = digestExisting(out, digest);
      try (BlobSource.Content content = source.open(blob, have)) {
        if (content.offset() != have) {
          out.truncate(content.offset());
          digest.reset();
        }
        append(content.stream(), out, digest);
      }
      if (!Sha256.idOf(digest).equals(blob)) {
        out.truncate(0);
        throw new IOException("its content does not have the hash that it is named by");
      }
      out.force(true);
    }
  }

  private static long digestExisting(FileChannel file, MessageDigest digest) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(Sha256.BUFFER_BYTES);
    while (file.read(buffer.clear()) >= 0) {
      digest.update(buffer.flip());
    }
    return file.position();
  }

  private static void append(InputStream in, FileChannel out, MessageDigest digest)
      throws IOException {
    out.position(out.size());
    byte[] buffer = new byte[Sha256.BUFFER_BYTES];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      digest.update(buffer, 0, n);
      ByteBuffer chunk = ByteBuffer.wrap(buffer, 0, n);
      while (chunk.hasRemaining()) {
        out.write(chunk);
      }
    }
  }
}
