package dev.imker.planner.internal.basics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An int array as a key of a map; the array must not change any more. */
public final class IntKey {
  final int[] values;
  private final int hash;

  public IntKey(int... values) {
    this.values = values;
    this.hash = Arrays.hashCode(values);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IntKey key && hash == key.hash && Arrays.equals(values, key.values);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
