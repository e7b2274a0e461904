package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes and hashes a body chunk by chunk, and turns it into a blob at the end. */
final class ChunkUpload extends BlobUpload {
  private final PostgresBlobs blobs;
  private final byte[] buffer = new byte[PostgresBlobs.CHUNK_BYTES];
  private final long body;
  private int filled;
  private int chunks;
  private boolean kept;

  ChunkUpload(PostgresBlobs blobs, @Nullable BlobId expected) {
    super(expected);
    this.blobs = blobs;
    body = blobs.newBody();
  }

  @Override
  protected void put(byte[] bytes, int from, int length) {
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
  }

  private void send() {
    byte[] data = filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled);
    blobs.addChunk(body, chunks++, data, System.currentTimeMillis());
    filled = 0;
  }

  @Override
  protected void keep(BlobId actual, long size) {
    if (filled > 0) {
      send();
    }
    blobs.keep(actual, body, size, System.currentTimeMillis());
    kept = true;
  }

  @Override
  public void close() {
    if (!kept && chunks > 0) {
      blobs.removeBody(body);
      chunks = 0;
    }
  }
}
