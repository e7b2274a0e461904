package dev.imker.agent.internal.lease;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The live output of a Java task for its followers. If too much is waiting, the oldest part is
 * dropped; the report contains everything.
 */
public final class LiveLog {
  private static final int MAX_BYTES = 1 << 20;

  /** A part of the log, and its place. */
  record Part(long offset, byte[] text) {
    long end() {
      return offset + text.length;
    }
  }

  private final Deque<Part> parts = new ArrayDeque<>();
  private int bytes;

  public synchronized void append(long offset, byte[] text) {
    parts.add(new Part(offset, text));
    bytes += text.length;
    while (bytes > MAX_BYTES && parts.size() > 1) {
      bytes -= parts.removeFirst().text.length;
    }
  }

  /**
   * What comes next from a place on, as far as it is in one piece, and no more than that; what is
   * before it is forgotten.
   */
  synchronized @Nullable Part next(long from, int most) {
    while (!parts.isEmpty() && parts.getFirst().end() <= from) {
      bytes -= parts.removeFirst().text.length;
    }
    Part first = parts.peek();
    if (first == null) {
      return null;
    }
    long start = Math.max(first.offset, from);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (Part part : parts) {
      int skip = (int) (start + text.size() - part.offset);
      int length = Math.min(part.text.length - skip, most - text.size());
      if (skip < 0 || length <= 0) { // some of it was dropped, or there is enough
        break;
      }
      text.write(part.text, skip, length);
    }
    return new Part(start, text.toByteArray());
  }
}
