package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Large blobs as files: {@code ab/cdef...} under the folder, by the hash. A file appears under its
 * name only when it is complete and on disk; until then it is in {@code incoming}.
 */
final class FolderBlobs implements BlobStore {
  private static final String INCOMING = "incoming";
  private static final int SHARD_DIGITS = 2;

  private final Path folder;
  private final Path incoming;
  private final Object[] locks = new Object[256];

  private FolderBlobs(Path folder, String incoming) {
    this.folder = folder;
    this.incoming = folder.resolve(incoming);
    Arrays.setAll(locks, shard -> new Object());
  }

  /**
   * Opens the folder, creates it if missing, and removes unfinished uploads. The caller ensures
   * that nobody else has the folder open.
   */
  static FolderBlobs open(Path folder) {
    return open(new FolderBlobs(folder, INCOMING));
  }

  /**
   * Opens a folder that other servers have open as well, each with uploads of its own. Unfinished
   * uploads are kept.
   */
  static FolderBlobs openShared(Path folder) {
    return open(new FolderBlobs(folder, INCOMING + "-" + UUID.randomUUID()));
  }

  /** Opens a folder read-only; others may have it open. */
  static FolderBlobs openReadOnly(Path folder) {
    return new FolderBlobs(folder, INCOMING);
  }

  private static FolderBlobs open(FolderBlobs blobs) {
    try {
      Files.createDirectories(blobs.incoming);
      try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(blobs.incoming)) {
        for (Path leftover : leftovers) {
          Files.deleteIfExists(leftover);
        }
      }
    } catch (IOException e) {
      throw failed("The folder " + blobs.folder + " cannot be used for files", e);
    }
    return blobs;
  }

  @Override
  public String title() {
    return folder.toString();
  }

  @Override
  public boolean has(BlobId blob) {
    return Files.isRegularFile(file(blob));
  }

  @Override
  public OptionalLong size(BlobId blob) {
    NonBlockingThread.check("look for a file");
    try {
      return OptionalLong.of(Files.size(file(blob)));
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    } catch (IOException e) {
      throw failed("The size of blob " + blob + " is unknown", e);
    }
  }

  @Override
  public BlobUpload upload(BlobId expected) {
    return start(expected);
  }

  @Override
  public BlobUpload upload() {
    NonBlockingThread.check("write a file");
    return start(null);
  }

  private BlobUpload start(@Nullable BlobId expected) {
    try {
      return new FileUpload(incoming, expected, this::keep);
    } catch (IOException e) {
      throw failed("An upload cannot be started in " + incoming, e);
    }
  }

  private void keep(BlobId blob, Path temporary, FileChannel open) throws IOException {
    Path file = file(blob);
    Path shard = file.resolveSibling("");
    synchronized (lock(blob)) {
      if (size(blob).orElse(-1) == open.size()) {
        touch(blob, System.currentTimeMillis());
      } else {
        open.force(true);
        open.close();
        if (!Files.isDirectory(shard)) {
          Files.createDirectories(shard);
          flush(folder);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
      }
      // The process that moved an existing file may not have flushed the folder yet.
      flush(shard);
    }
  }

  /**
   * Without this, the name of a file whose content is on disk may be lost in a crash of the
   * machine.
   */
  private static void flush(Path folder) throws IOException {
    if (System.getProperty("os.name", "").startsWith("Windows")) {
      return; // there, a folder cannot be opened, and a rename is durable by itself
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public InputStream open(BlobId blob, long offset) {
    NonBlockingThread.check("read a file");
    if (offset < 0) {
      throw new IllegalArgumentException("negative offset " + offset);
    }
    try {
      FileChannel channel = FileChannel.open(file(blob), StandardOpenOption.READ);
      channel.position(offset);
      return Channels.newInputStream(channel);
    } catch (NoSuchFileException e) {
      throw new BlobMissingException(blob);
    } catch (IOException e) {
      throw failed("Blob " + blob + " cannot be read", e);
    }
  }

  @Override
  public Optional<Path> path(BlobId blob) {
    return has(blob) ? Optional.of(file(blob)) : Optional.empty();
  }

  @Override
  public boolean touch(BlobId blob, long nowMillis) {
    synchronized (lock(blob)) {
      try {
        Files.setLastModifiedTime(file(blob), FileTime.fromMillis(nowMillis));
        return true;
      } catch (NoSuchFileException e) {
        return false;
      } catch (IOException e) {
        throw failed("Blob " + blob + " cannot be touched", e);
      }
    }
  }

  @Override
  public Freed freeUntouched(Collection<BlobId> blobs, long beforeMillis, boolean dryRun) {
    Freed freed = Freed.NOTHING;
    for (BlobId blob : blobs) {
      synchronized (lock(blob)) {
        try {
          Path file = file(blob);
          if (Files.getLastModifiedTime(file).toMillis() < beforeMillis) {
            freed = freed.plus(Files.size(file));
            if (!dryRun) {
              Files.delete(file);
            }
          }
        } catch (NoSuchFileException gone) {
          // Another upload was faster.
        } catch (IOException e) {
          throw failed("Blob " + blob + " cannot be deleted", e);
        }
      }
    }
    return freed;
  }

  /** Held while a blob is added, kept or removed. */
  Object lock(BlobId blob) {
    return locks[Integer.parseInt(blob.sha256().substring(0, SHARD_DIGITS), 16)];
  }

  @Override
  public boolean delete(BlobId blob) {
    try {
      return Files.deleteIfExists(file(blob));
    } catch (IOException e) {
      throw failed("Blob " + blob + " cannot be deleted", e);
    }
  }

  @Override
  public void forEach(Consumer<BlobId> action) {
    try (DirectoryStream<Path> shards = Files.newDirectoryStream(folder, "[0-9a-f][0-9a-f]")) {
      for (Path shard : shards) {
        forEachIn(shard, action);
      }
    } catch (IOException e) {
      throw failed("The blobs in " + folder + " cannot be listed", e);
    }
  }

  private static void forEachIn(Path shard, Consumer<BlobId> action) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
      for (Path file : files) {
        String hash = "" + shard.getFileName() + file.getFileName();
        if (BlobId.isValid(hash)) {
          action.accept(new BlobId(hash));
        }
      }
    }
  }

  Path file(BlobId blob) {
    String hash = blob.sha256();
    return folder.resolve(hash.substring(0, SHARD_DIGITS)).resolve(hash.substring(SHARD_DIGITS));
  }

  static StoreException failed(String what, IOException error) {
    return new StoreException(what + ": " + FileErrors.reason(error), error);
  }
}
