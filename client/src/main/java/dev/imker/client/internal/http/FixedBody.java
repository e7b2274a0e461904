package dev.imker.client.internal.http;

import java.io.InputStream;

/** The body of an answer that said how long it is. */
final class FixedBody extends AnswerBody {
  private long left;

  FixedBody(InputStream in, long length) {
    super(in);
    this.left = length;
  }

  @Override
  long left() {
    return left;
  }

  @Override
  void took(int count) {
    left -= count;
  }
}
