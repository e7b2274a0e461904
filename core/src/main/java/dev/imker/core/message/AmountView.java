package dev.imker.core.message;

import java.util.List;

/**
 * How much there is of something, and how much of it is taken: bytes of memory and disk, hundredths
 * of all else.
 *
 * @param items its pieces by name; empty if it is just an amount
 */
public record AmountView(long has, long taken, List<String> items) {
  public long free() {
    return Math.max(0, has - taken);
  }
}
