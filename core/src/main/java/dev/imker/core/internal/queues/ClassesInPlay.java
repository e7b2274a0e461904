package dev.imker.core.internal.queues;

import java.util.Arrays;
import java.util.BitSet;

/** In how many projects each requirement class has READY tasks whose user may run more. */
final class ClassesInPlay {
  private final BitSet any = new BitSet();
  private int[] projects = new int[16];

  BitSet any() {
    return any;
  }

  void add(int number) {
    if (number >= projects.length) {
      projects = Arrays.copyOf(projects, 2 * number);
    }
    if (projects[number]++ == 0) {
      any.set(number);
    }
  }

  void remove(int number) {
    if (--projects[number] == 0) {
      any.clear(number);
    }
  }
}
