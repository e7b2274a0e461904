package dev.imker.planner.internal.basics;

import java.util.Arrays;

public final class IntList {
  private int[] items = new int[8];
  private int size;

  public void add(int item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = item;
  }

  public int get(int index) {
    return items[index];
  }

  public int size() {
    return size;
  }

  public void clear() {
    size = 0;
  }

  public void truncate(int newSize) {
    size = newSize;
  }

  public int[] toArray() {
    return Arrays.copyOf(items, size);
  }
}
