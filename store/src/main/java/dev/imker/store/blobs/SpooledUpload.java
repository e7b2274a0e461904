package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Gathers a blob in a file of this machine, so that its hash and size are known, and whether it is
 * there already, before anything is sent.
 */
final class SpooledUpload extends BlobUpload {
  private final ObjectBlobs blobs;
  private final Path spool;
  private final @Nullable BlobId expected;
  private final OutputStream out;
  private final MessageDigest digest = FileUpload.sha256();
  private long size;

  SpooledUpload(ObjectBlobs blobs, Path spool, @Nullable BlobId expected) throws IOException {
    this.blobs = blobs;
    this.spool = spool;
    this.expected = expected;
    this.out = Files.newOutputStream(spool);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    digest.update(bytes, from, length);
    out.write(bytes, from, length);
    size += length;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public BlobId finish() {
    BlobId actual = new BlobId(HexFormat.of().formatHex(digest.digest()));
    try (this) {
      out.close();
      if (expected != null && !expected.equals(actual)) {
        throw new BlobMismatchException(expected, actual, size);
      }
      blobs.keep(actual, spool, size);
      return actual;
    } catch (IOException e) {
      throw FolderBlobs.failed("Blob " + actual + " cannot be kept", e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
    Files.deleteIfExists(spool);
  }
}
