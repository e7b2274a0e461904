package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes a temporary file, hashes on the way, and moves it to its name once it is on disk. */
final class FileUpload extends BlobUpload {
  private final FolderBlobs blobs;
  private final Path temporary;
  private final @Nullable BlobId expected;
  private final FileChannel channel;
  private final MessageDigest digest = sha256();
  private long size;
  private boolean moved;

  FileUpload(FolderBlobs blobs, Path temporary, @Nullable BlobId expected) throws IOException {
    this.blobs = blobs;
    this.temporary = temporary;
    this.expected = expected;
    this.channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    digest.update(bytes, from, length);
    ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
    while (buffer.hasRemaining()) {
      size += channel.write(buffer);
    }
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public BlobId finish() {
    BlobId actual = new BlobId(HexFormat.of().formatHex(digest.digest()));
    try (this) {
      if (expected != null && !expected.equals(actual)) {
        throw new BlobMismatchException(expected, actual, size);
      }
      synchronized (blobs.lock(actual)) {
        if (blobs.size(actual).orElse(-1) == size) {
          // Somebody else may have moved it there a moment ago and not flushed yet.
          blobs.touch(actual, System.currentTimeMillis());
          flushFolder(blobs.file(actual).resolveSibling(""));
        } else {
          keepAs(blobs.file(actual));
        }
      }
      return actual;
    } catch (IOException e) {
      throw FolderBlobs.failed("Blob " + actual + " cannot be kept", e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!moved) {
      Files.deleteIfExists(temporary);
    }
  }

  private void keepAs(Path file) throws IOException {
    channel.force(true);
    channel.close();
    Path shard = file.resolveSibling("");
    if (!Files.isDirectory(shard)) {
      Files.createDirectories(shard);
      flushFolder(blobs.folder());
    }
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    moved = true;
    flushFolder(shard);
  }

  /** Without this a crash of the machine may forget the name of a file whose content is on disk. */
  private static void flushFolder(Path folder) throws IOException {
    if (System.getProperty("os.name", "").startsWith("Windows")) {
      return; // there, a folder cannot be opened, and a rename is durable by itself
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
