package dev.imker.client.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The body of an answer that said how long it is. */
final class FixedBody extends InputStream {
  private final InputStream in;
  private long left;

  FixedBody(InputStream in, long length) {
    this.in = in;
    this.left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left <= 0) {
      return -1;
    }
    int count = in.read(to, offset, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("The answer was cut off.");
    }
    left -= count;
    return count;
  }
}
