package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads a blob stored as an object. A broken connection is resumed where it broke; a blob that is
 * read from its start is verified at its end.
 */
final class ObjectInput extends InputStream {
  private static final int TRIES = 5;

  private final S3Bucket bucket;
  private final String name;
  private final BlobId blob;
  private final long size;
  private final @Nullable MessageDigest digest;
  private InputStream in;
  private long at;
  private int tries;

  ObjectInput(S3Bucket bucket, String name, BlobId blob, long size, long offset) {
    this.bucket = bucket;
    this.name = name;
    this.blob = blob;
    this.size = size;
    this.at = Math.min(offset, size);
    this.digest = offset == 0 ? BlobUpload.sha256() : null;
    this.in = at == size ? nullInputStream() : bucket.open(name, at);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (at == size) {
      return -1;
    }
    int read = readSome(target, from, (int) Math.min(length, size - at));
    at += read;
    if (digest != null) {
      digest.update(target, from, read);
      check();
    }
    return read;
  }

  private int readSome(byte[] target, int from, int length) throws IOException {
    while (true) {
      try {
        int read = in.read(target, from, length);
        if (read >= 0) {
          return read;
        }
        broken(new IOException("it ends after %d of %d bytes".formatted(at, size)));
      } catch (IOException e) {
        broken(e);
      }
    }
  }

  private void broken(IOException why) throws IOException {
    if (++tries == TRIES) {
      throw new IOException("Blob " + blob + " cannot be read: " + why.getMessage(), why);
    }
    in.close();
    try {
      in = bucket.open(name, at);
    } catch (StoreException e) {
      throw new IOException("Blob " + blob + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void check() throws IOException {
    if (at == size && digest != null) {
      String actual = HexFormat.of().formatHex(digest.digest());
      if (!actual.equals(blob.sha256())) {
        throw new IOException("Blob " + blob + " is damaged: its content has the hash " + actual);
      }
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
