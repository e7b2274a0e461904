package dev.imker.client.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/** The body of an answer that comes in chunks (RFC 9112, 7.1). */
final class ChunkedBody extends AnswerBody {
  private static final Pattern EXTENSION = Pattern.compile("[; \t].*");

  private final InputStream in;
  private long left;
  private boolean begun;
  private boolean ended;

  ChunkedBody(InputStream in) {
    super(in);
    this.in = in;
  }

  @Override
  long left() throws IOException {
    if (left == 0 && !ended) {
      next();
    }
    return left;
  }

  @Override
  void took(int count) {
    left -= count;
  }

  private void next() throws IOException {
    if (begun) {
      HttpConnection.line(in);
    }
    begun = true;
    String size = EXTENSION.matcher(HttpConnection.line(in)).replaceFirst("");
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
