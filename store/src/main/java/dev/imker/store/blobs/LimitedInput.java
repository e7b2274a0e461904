package dev.imker.store.blobs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of a stream. */
final class LimitedInput extends FilterInputStream {
  private long left;

  LimitedInput(InputStream in, long bytes) {
    super(in);
    left = bytes;
  }

  @Override
  public int read() throws IOException {
    int next = left > 0 ? super.read() : -1;
    left -= next < 0 ? 0 : 1;
    return next;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    if (left <= 0 && length > 0) {
      return -1;
    }
    int read = super.read(target, from, (int) Math.min(length, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = super.skip(Math.min(bytes, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(super.available(), left);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
