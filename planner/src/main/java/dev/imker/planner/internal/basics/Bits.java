package dev.imker.planner.internal.basics;

/** Sets of small ints as words, for the loops where {@link java.util.BitSet} checks too much. */
public final class Bits {
  private Bits() {}

  public static long[] ofSize(int bits) {
    return new long[(bits + 63) >>> 6];
  }

  public static long[] of(int bits, int[] members) {
    long[] set = ofSize(bits);
    for (int member : members) {
      set(set, member);
    }
    return set;
  }

  public static boolean get(long[] set, int bit) {
    return (set[bit >>> 6] & (1L << bit)) != 0;
  }

  public static void set(long[] set, int bit) {
    set[bit >>> 6] |= 1L << bit;
  }

  public static void clear(long[] set, int bit) {
    set[bit >>> 6] &= ~(1L << bit);
  }

  public static void or(long[] into, long[] from) {
    for (int i = 0; i < from.length; i++) {
      into[i] |= from[i];
    }
  }

  public static boolean contains(long[] set, int[] members) {
    for (int member : members) {
      if (!get(set, member)) {
        return false;
      }
    }
    return true;
  }

  public static boolean containsAny(long[] set, int[] members) {
    for (int member : members) {
      if (get(set, member)) {
        return true;
      }
    }
    return false;
  }

  public static int cardinality(long[] set) {
    int count = 0;
    for (long word : set) {
      count += Long.bitCount(word);
    }
    return count;
  }

  public static int[] members(long[] set) {
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
