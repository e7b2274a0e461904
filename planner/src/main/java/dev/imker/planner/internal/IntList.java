package dev.imker.planner.internal;

import java.util.Arrays;

/** A growing list of ints. */
final class IntList {
  private int[] items = new int[8];
  private int size;

  void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = item;
  }

  int get(int index) {
    return items[index];
  }

  int size() {
    return size;
  }

  void clear() {
    size = 0;
  }

  void truncate(int newSize) {
    size = newSize;
  }

  int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
