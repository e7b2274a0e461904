package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads a body, a chunk at a time. */
final class ChunkInput extends InputStream {
  private final PostgresBlobs blobs;
  private final BlobId blob;
  private final long body;
  private byte @Nullable [] chunk = new byte[0];
  private int next;
  private int at;

  ChunkInput(PostgresBlobs blobs, BlobId blob, long body, long offset) {
    this.blobs = blobs;
    this.blob = blob;
    this.body = body;
    next = (int) (offset / PostgresBlobs.CHUNK_BYTES);
    int within = (int) (offset % PostgresBlobs.CHUNK_BYTES);
    if (within > 0) {
      chunk = blobs.chunk(body, next++);
      at = within;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    byte[] current = filled();
    if (current == null) {
      return -1;
    }
    int part = Math.min(length, current.length - at);
    System.arraycopy(current, at, target, from, part);
    at += part;
    return part;
  }

  /** A chunk with bytes left, null at the end. */
  private byte @Nullable [] filled() throws IOException {
    byte[] current = chunk;
    while (current != null && at >= current.length) {
      boolean last = next > 0 && current.length > 0 && current.length < PostgresBlobs.CHUNK_BYTES;
      at = 0;
      try {
        current = last ? null : blobs.chunk(body, next++);
      } catch (StoreException e) {
        throw new IOException("Blob " + blob + " cannot be read: " + e.getMessage(), e);
      }
      chunk = current;
    }
    return current;
  }
}
