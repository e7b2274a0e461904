package dev.imker.agent.internal.cache;

import dev.imker.model.BlobId;
import dev.imker.model.PrivateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Blobs stored on this machine, shared by all its agents. A blob is in the cache if the file with
 * its name exists: files are renamed into place after their content was verified. Partial downloads
 * are kept and continued for three days.
 *
 * <p>Tasks get copies or hard links. A cached file is read-only and has a special modification time
 * that every change of its content removes: a file without it is hashed before it is used again,
 * and fetched again if it was changed.
 *
 * <p>The least recently used blobs are removed when the limit is exceeded. The total is recomputed
 * after every twentieth of the limit, so each agent may exceed it by that much.
 */
public final class BlobCache {
  private static final int ATTEMPTS = 8;
  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;
  private static final Duration TOUCH_INTERVAL = Duration.ofMinutes(1);
  private static final Duration ABANDONED_AFTER = Duration.ofDays(3);

  /** When the content of every intact file was last changed, as far as it tells. */
  private static final FileTime INTACT = FileTime.from(Instant.ofEpochSecond(1_000_000_000));

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> READ_ONLY =
      PosixFilePermissions.fromString("r--r--r--");

  private final Path blobs;
  private final Path partial;
  private final FolderLocks locks;
  private final Eviction eviction;
  private final long sumUpAfterBytes;
  private final long firstPauseMillis;
  private final AtomicLong addedBytes = new AtomicLong();

  public BlobCache(Path folder, long limitBytes) throws IOException {
    this(folder, limitBytes, FIRST_PAUSE_MILLIS);
  }

  /**
   * @param firstPauseMillis between the first attempts to fetch a file
   */
  BlobCache(Path folder, long limitBytes, long firstPauseMillis) throws IOException {
    this.firstPauseMillis = firstPauseMillis;
    PrivateFolder.create(folder);
    this.blobs = Files.createDirectories(folder.resolve("blobs"));
    this.partial = Files.createDirectories(folder.resolve("partial"));
    this.locks = new FolderLocks(folder.resolve("locks"));
    this.eviction = new Eviction(blobs, limitBytes);
    this.sumUpAfterBytes = Math.max(1, limitBytes / 20);
    forgetAbandoned();
  }

  private void forgetAbandoned() throws IOException {
    Instant longAgo = Instant.now().minus(ABANDONED_AFTER);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(partial)) {
      for (Path file : files) {
        if (isOlder(file, longAgo)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** An active download writes to its file all the time. */
  private static boolean isOlder(Path file, Instant than) throws IOException {
    try {
      return Files.getLastModifiedTime(file).toInstant().isBefore(than);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  public boolean has(BlobId blob) {
    return Files.exists(place(blob));
  }

  /** Copies a blob to a new file, fetching it first if missing. */
  public void copyTo(BlobId blob, Path target, BlobSource source)
      throws IOException, InterruptedException {
    bring(blob, source, cached -> Files.copy(cached, target));
  }

  /**
   * Links a blob under another name, fetching it first if missing: nothing is copied, and nobody
   * may modify it. On file systems without links it is copied.
   */
  public void linkTo(BlobId blob, Path target, BlobSource source)
      throws IOException, InterruptedException {
    bring(
        blob,
        source,
        cached -> {
          try {
            Files.createLink(target, cached);
          } catch (NoSuchFileException e) {
            throw e;
          } catch (UnsupportedOperationException | FileSystemException e) {
            Files.copy(cached, target);
          }
        });
  }

  private interface Bringing {
    void bring(Path cached) throws IOException;
  }

  private void bring(BlobId blob, BlobSource source, Bringing way)
      throws IOException, InterruptedException {
    for (int i = 0; ; i++) {
      Path cached = fetch(blob, source);
      try {
        way.bring(cached);
        return;
      } catch (NoSuchFileException e) {
        // Another agent evicted it between our check and our copy.
        if (i == ATTEMPTS || !e.getFile().equals(cached.toString())) {
          throw e;
        }
      }
    }
  }

  /** Ensures that a blob is in the cache; the returned file must not be changed. */
  public Path fetch(BlobId blob, BlobSource source) throws IOException, InterruptedException {
    Path place = place(blob);
    if (touch(place, blob)) {
      return place;
    }
    long bytes = 0;
    try (var _ = locks.hold(blob.sha256().substring(0, 2))) {
      if (!touch(place, blob)) {
        bytes = download(blob, source, place);
      }
    }
    if (addedBytes.addAndGet(bytes) >= sumUpAfterBytes) {
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

  /** Records that a blob is in use; false if it is missing or was changed. */
  private static boolean touch(Path place, BlobId blob) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(place, BasicFileAttributes.class);
      Instant now = Instant.now();
      if (!attributes.lastModifiedTime().equals(INTACT)) {
        if (!Sha256.of(place).equals(blob)) {
          Files.deleteIfExists(place);
          return false;
        }
        protect(place);
      } else if (Duration.between(attributes.lastAccessTime().toInstant(), now)
              .compareTo(TOUCH_INTERVAL)
          > 0) {
        setTimes(place, now);
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static void protect(Path place) throws IOException {
    if (POSIX) {
      Files.setPosixFilePermissions(place, READ_ONLY);
    }
    setTimes(place, Instant.now());
  }

  private static void setTimes(Path place, Instant used) throws IOException {
    Files.getFileAttributeView(place, BasicFileAttributeView.class)
        .setTimes(INTACT, FileTime.from(used), null);
  }

  /** Returns its size. */
  private long download(BlobId blob, BlobSource source, Path place)
      throws IOException, InterruptedException {
    Path file = partial.resolve(blob.sha256());
    long pauseMillis = firstPauseMillis;
    for (int attempt = 1; ; attempt++) {
      try {
        receive(blob, source, file);
        break;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw BlobException.temporary("Could not fetch blob " + blob + ": " + e.getMessage(), e);
        }
        Thread.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
    protect(file);
    long bytes = Files.size(file);
    Files.createDirectories(place.getParent());
    Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
    return bytes;
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
        throw new IOException("its content does not match its hash");
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
