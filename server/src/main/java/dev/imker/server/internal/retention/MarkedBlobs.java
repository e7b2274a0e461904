package dev.imker.server.internal.retention;

import dev.imker.model.BlobId;

/**
 * A set of files that takes about twelve bytes for each: the first half of a hash stands for the
 * whole. Two files that share it by chance are both in the set if one is, which keeps a file too
 * many and never one too few.
 */
final class MarkedBlobs {
  private long[] marks = new long[1024];
  private int count;

  /** Returns whether it was not there yet. */
  boolean add(BlobId blob) {
    return add(mark(blob));
  }

  boolean add(String user, BlobId blob) {
    return add(mark(user, blob));
  }

  private boolean add(long mark) {
    if (!put(marks, mark)) {
      return false;
    }
    count++;
    if (count > marks.length / 4 * 3) {
      long[] larger = new long[2 * marks.length];
      for (long old : marks) {
        if (old != 0) {
          put(larger, old);
        }
      }
      marks = larger;
    }
    return true;
  }

  boolean contains(BlobId blob) {
    return marks[place(marks, mark(blob))] != 0;
  }

  boolean contains(String user, BlobId blob) {
    return marks[place(marks, mark(user, blob))] != 0;
  }

  private static boolean put(long[] marks, long mark) {
    int place = place(marks, mark);
    boolean fresh = marks[place] == 0;
    marks[place] = mark;
    return fresh;
  }

  /** Where a mark is, or a free place for it. */
  private static int place(long[] marks, long mark) {
    int place = (int) (mark ^ mark >>> 32) & marks.length - 1;
    while (marks[place] != 0 && marks[place] != mark) {
      place = place + 1 & marks.length - 1;
    }
    return place;
  }

  private static long mark(BlobId blob) {
    return nonZero(Long.parseUnsignedLong(blob.sha256().substring(0, 16), 16));
  }

  private static long mark(String user, BlobId blob) {
    return nonZero(mark(blob) * 31 + user.hashCode() * 0x9e3779b97f4a7c15L);
  }

  private static long nonZero(long mark) {
    return mark == 0 ? 1 : mark;
  }
}
