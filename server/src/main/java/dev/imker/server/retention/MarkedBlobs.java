package dev.imker.server.retention;

import dev.imker.model.BlobId;
import java.util.Arrays;

/**
 * A set of files that takes eight bytes for each: the first half of a hash stands for the whole.
 * Two files that share it by chance are both in the set if one is, which keeps a file too many and
 * never one too few. First add, then ask.
 */
final class MarkedBlobs {
  private long[] marks = new long[1024];
  private int count;
  private boolean sorted;

  void add(BlobId blob) {
    add(mark(blob));
  }

  void add(String user, BlobId blob) {
    add(mark(user, blob));
  }

  private void add(long mark) {
    if (count == marks.length) {
      marks = Arrays.copyOf(marks, 2 * count);
    }
    marks[count++] = mark;
    sorted = false;
  }

  boolean contains(BlobId blob) {
    return contains(mark(blob));
  }

  boolean contains(String user, BlobId blob) {
    return contains(mark(user, blob));
  }

  private boolean contains(long mark) {
    if (!sorted) {
      Arrays.sort(marks, 0, count);
      sorted = true;
    }
    return Arrays.binarySearch(marks, 0, count, mark) >= 0;
  }

  private static long mark(BlobId blob) {
    return Long.parseUnsignedLong(blob.sha256().substring(0, 16), 16);
  }

  private static long mark(String user, BlobId blob) {
    return mark(blob) * 31 + user.hashCode() * 0x9e3779b97f4a7c15L;
  }
}
