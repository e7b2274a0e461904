package dev.imker.planner.internal.search;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** States by number, without duplicates; kept in large chunks since there may be millions. */
final class StateSet {
  private static final int CHUNK_STATES = 1 << 14;

  private final int words;
  private long[] @Nullable [] chunks = new long[4][];
  private int[] table = new int[1 << 10];
  private int size;

  StateSet(int words) {
    this.words = words;
  }

  int size() {
    return size;
  }

  /** Whether the state is new; it then has the number {@code size() − 1}. */
  boolean add(long[] state) {
    if (size * 2L > table.length) {
      grow();
    }
    int slot = slot(state);
    if (table[slot] != 0) {
      return false;
    }
    append(state);
    table[slot] = size;
    return true;
  }

  long[] get(int number) {
    int start = number % CHUNK_STATES * words;
    return Arrays.copyOfRange(chunk(number), start, start + words);
  }

  private long[] chunk(int number) {
    long[] chunk = chunks[number / CHUNK_STATES];
    if (chunk == null) {
      throw new IndexOutOfBoundsException(number);
    }
    return chunk;
  }

  private void append(long[] state) {
    int index = size / CHUNK_STATES;
    if (index == chunks.length) {
      chunks = Arrays.copyOf(chunks, index * 2);
    }
    if (chunks[index] == null) {
      chunks[index] = new long[CHUNK_STATES * words];
    }
    System.arraycopy(state, 0, chunk(size), size % CHUNK_STATES * words, words);
    size++;
  }

  private int slot(long[] state) {
    int mask = table.length - 1;
    int slot = hash(state) & mask;
    while (table[slot] != 0 && !equalsStored(table[slot] - 1, state)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean equalsStored(int number, long[] state) {
    int start = number % CHUNK_STATES * words;
    return Arrays.equals(chunk(number), start, start + words, state, 0, words);
  }

  private static int hash(long[] state) {
    long hash = 0;
    for (long word : state) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash ^ hash >>> 32);
  }

  private void grow() {
    table = new int[Math.multiplyExact(table.length, 2)];
    for (int number = 0; number < size; number++) {
      table[slot(get(number))] = number + 1;
    }
  }
}
