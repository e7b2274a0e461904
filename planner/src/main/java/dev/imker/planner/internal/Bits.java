package dev.imker.planner.internal;

/** Sets of small ints as words, for the loops where {@link java.util.BitSet} checks too much. */
final class Bits {
  private Bits() {}

  static long[] ofSize(int bits) {
    return new long[(bits + 63) >>> 6];
  }

  static long[] of(int bits, int[] members) {
    long[] set = ofSize(bits);
    for (int member : members) {
      set(set, member);
    }
    return set;
  }

  static boolean get(long[] set, int bit) {
    return (set[bit >>> 6] & (1L << bit)) != 0;
  }

  static void set(long[] set, int bit) {
    set[bit >>> 6] |= 1L << bit;
  }

  static void clear(long[] set, int bit) {
    set[bit >>> 6] &= ~(1L << bit);
  }

  static void or(long[] into, long[] from) {
    for (int i = 0; i < from.length; i++) {
      into[i] |= from[i];
    }
  }

  static boolean intersects(long[] a, long[] b) {
    for (int i = 0; i < a.length; i++) {
      if ((a[i] & b[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  static boolean contains(long[] set, int[] members) {
    for (int member : members) {
      if (!get(set, member)) {
        return false;
      }
    }
    return true;
  }

  static boolean containsAny(long[] set, int[] members) {
    for (int member : members) {
      if (get(set, member)) {
        return true;
      }
    }
    return false;
  }

  static int cardinality(long[] set) {
    int count = 0;
    for (long word : set) {
      count += Long.bitCount(word);
    }
    return count;
  }

  static int[] members(long[] set) {
    int[] members = new int[cardinality(set)];
    int count = 0;
    for (int w = 0; w < set.length; w++) {
      for (long word = set[w]; word != 0; word &= word - 1) {
        members[count++] = (w << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return members;
  }
}
