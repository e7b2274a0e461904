package dev.imker.client.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The body of an answer on a connection that goes on after it. */
abstract class AnswerBody extends InputStream {
  private final InputStream in;

  AnswerBody(InputStream in) {
    this.in = in;
  }

  /** How many bytes are certain to come next; none at the end. */
  abstract long left() throws IOException;

  /** So many of them were read. */
  abstract void took(int count);

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
    long left = left();
    if (left <= 0) {
      return -1;
    }
    int count = in.read(to, offset, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("The answer was cut off.");
    }
    took(count);
    return count;
  }
}
