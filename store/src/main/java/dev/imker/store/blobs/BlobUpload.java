package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An incoming blob, hashed while it is written: write all bytes, then {@link #finish()}. Closing
 * without finishing discards what was written. For one thread at a time.
 */
public abstract class BlobUpload extends OutputStream {
  private final @Nullable BlobId expected;
  private final MessageDigest digest = sha256();
  private long size;

  protected BlobUpload(@Nullable BlobId expected) {
    this.expected = expected;
  }

  protected abstract void put(byte[] bytes, int from, int length) throws IOException;

  /** Makes the written content durable and visible under its name. */
  protected abstract void keep(BlobId actual, long size) throws IOException;

  @Override
  public final void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public final void write(byte[] bytes, int from, int length) throws IOException {
    digest.update(bytes, from, length);
    put(bytes, from, length);
    size += length;
  }

  /** The number of bytes written so far. */
  public final long size() {
    return size;
  }

  /**
   * Makes the blob durable and visible. Throws {@link BlobMismatchException}, without keeping
   * anything, if the bytes do not have the expected hash.
   */
  public final BlobId finish() {
    BlobId actual = new BlobId(HexFormat.of().formatHex(digest.digest()));
    try (this) {
      if (expected != null && !expected.equals(actual)) {
        throw new BlobMismatchException(expected, actual, size);
      }
      keep(actual, size);
      return actual;
    } catch (IOException e) {
      throw FolderBlobs.failed("Blob " + actual + " cannot be stored", e);
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
