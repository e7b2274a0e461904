package dev.imker.core.internal.tasks;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Map from long to object without a box per entry: open addressing with linear probing, deletion by
 * moving later entries of the run back (Knuth, TAOCP 6.4 algorithm R), so that there are no
 * tombstones and look-ups stay short under constant coming and going.
 */
public final class LongTable<V> {
  private static final int FIRST_CAPACITY = 8;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long[] keys = new long[FIRST_CAPACITY];
  private @Nullable Object[] values = new Object[FIRST_CAPACITY];
  private int size;

  public int size() {
    return size;
  }

  public @Nullable V get(long key) {
    return valueAt(find(key));
  }

  public void put(long key, V value) {
    int slot = find(key);
    if (values[slot] == null) {
      if (2 * (size + 1) > keys.length) {
        resize(keys.length * 2);
        slot = find(key);
      }
      size++;
    }
    keys[slot] = key;
    values[slot] = value;
  }

  public @Nullable V remove(long key) {
    int hole = find(key);
    V removed = valueAt(hole);
    if (removed == null) {
      return null;
    }
    size--;
    int mask = keys.length - 1;
    for (int next = (hole + 1) & mask; values[next] != null; next = (next + 1) & mask) {
      int home = home(keys[next]);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next];
        values[hole] = values[next];
        hole = next;
      }
    }
    values[hole] = null;
    return removed;
  }

  /** In no particular order; the table must not change meanwhile. */
  public void forEach(Consumer<? super V> action) {
    for (int slot = 0; slot < keys.length; slot++) {
      V value = valueAt(slot);
      if (value != null) {
        action.accept(value);
      }
    }
  }

  /** The slot of the key, or the free one where it would go. */
  private int find(long key) {
    int mask = keys.length - 1;
    int slot = home(key);
    while (values[slot] != null && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long key) {
    return (int) ((key * GOLDEN) >>> (Long.numberOfLeadingZeros(keys.length) + 1));
  }

  @SuppressWarnings("unchecked")
  private @Nullable V valueAt(int slot) {
    return (V) values[slot];
  }

  private void resize(int capacity) {
    long[] oldKeys = keys;
    @Nullable Object[] oldValues = values;
    keys = new long[capacity];
    values = new Object[capacity];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != null) {
        int slot = find(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
