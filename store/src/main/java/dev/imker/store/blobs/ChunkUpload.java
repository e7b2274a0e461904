package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes a body chunk by chunk, hashes on the way, and makes it a blob at the end. */
final class ChunkUpload extends BlobUpload {
  private final PostgresBlobs blobs;
  private final @Nullable BlobId expected;
  private final MessageDigest digest = FileUpload.sha256();
  private final byte[] buffer = new byte[PostgresBlobs.CHUNK_BYTES];
  private final long body;
  private int filled;
  private int chunks;
  private long size;
  private boolean kept;

  ChunkUpload(PostgresBlobs blobs, @Nullable BlobId expected) {
    this.blobs = blobs;
    this.expected = expected;
    body = blobs.newBody();
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) {
    digest.update(bytes, from, length);
    int done = 0;
    while (done < length) {
      int part = Math.min(length - done, buffer.length - filled);
      System.arraycopy(bytes, from + done, buffer, filled, part);
      filled += part;
      done += part;
      if (filled == buffer.length) {
        send();
      }
    }
    size += length;
  }

  private void send() {
    byte[] data = filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled);
    blobs.addChunk(body, chunks++, data, System.currentTimeMillis());
    filled = 0;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public BlobId finish() {
    BlobId actual = new BlobId(HexFormat.of().formatHex(digest.digest()));
    if (expected != null && !expected.equals(actual)) {
      close();
      throw new BlobMismatchException(expected, actual, size);
    }
    if (filled > 0) {
      send();
    }
    blobs.keep(actual, body, size, System.currentTimeMillis());
    kept = true;
    return actual;
  }

  @Override
  public void close() {
    if (!kept && chunks > 0) {
      blobs.removeBody(body);
      chunks = 0;
    }
  }
}
