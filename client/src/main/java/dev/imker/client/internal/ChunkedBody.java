package dev.imker.client.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The body of an answer that comes in chunks (RFC 9112, 7.1). */
final class ChunkedBody extends InputStream {
  private final InputStream in;
  private long left;
  private boolean begun;
  private boolean ended;

  ChunkedBody(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /** Never waits for more than the first bytes: what is there is given out at once. */
  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0 && !ended) {
      next();
    }
    if (ended) {
      return -1;
    }
    int count = in.read(to, offset, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("The answer was cut off.");
    }
    left -= count;
    return count;
  }

  private void next() throws IOException {
    if (begun) {
      HttpConnection.line(in);
    }
    begun = true;
    String size = HttpConnection.line(in).replaceAll("[; \t].*", "");
    try {
      left = Long.parseLong(size, 16);
    } catch (NumberFormatException e) {
      throw new IOException("not the size of a chunk: " + size, e);
    }
    if (left < 0) {
      throw new IOException("not the size of a chunk: " + size);
    }
    if (left == 0) {
      ended = true;
      while (!HttpConnection.line(in).isEmpty()) {
        // trailers say nothing here
      }
    }
  }
}
