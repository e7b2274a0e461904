package dev.imker.planner.internal.sat;

import java.util.Arrays;

/** Variables ordered by how much they took part in recent conflicts. */
final class VariableHeap {
  private static final double RESCALE_LIMIT = 1e100;

  private double[] activity = new double[16];
  private int[] heap = new int[16];
  private int[] position = new int[16];
  private int size;
  private int variables;
  private double increment = 1;

  void addVariable() {
    if (variables == heap.length) {
      activity = Arrays.copyOf(activity, variables * 2);
      heap = Arrays.copyOf(heap, variables * 2);
      position = Arrays.copyOf(position, variables * 2);
    }
    position[variables] = -1;
    insert(variables++);
  }

  boolean isEmpty() {
    return size == 0;
  }

  void insert(int variable) {
    if (position[variable] < 0) {
      heap[size] = variable;
      position[variable] = size;
      up(size++);
    }
  }

  int removeBest() {
    int best = heap[0];
    position[best] = -1;
    int last = heap[--size];
    if (size > 0) {
      heap[0] = last;
      position[last] = 0;
      down(0);
    }
    return best;
  }

  void bump(int variable) {
    activity[variable] += increment;
    if (activity[variable] > RESCALE_LIMIT) {
      for (int i = 0; i < variables; i++) {
        activity[i] /= RESCALE_LIMIT;
      }
      increment /= RESCALE_LIMIT;
    }
    if (position[variable] >= 0) {
      up(position[variable]);
    }
  }

  void decay(double factor) {
    increment /= factor;
  }

  private void up(int start) {
    int index = start;
    int variable = heap[index];
    while (index > 0) {
      int parent = (index - 1) >>> 1;
      if (activity[heap[parent]] >= activity[variable]) {
        break;
      }
      heap[index] = heap[parent];
      position[heap[index]] = index;
      index = parent;
    }
    heap[index] = variable;
    position[variable] = index;
  }

  private void down(int start) {
    int index = start;
    int variable = heap[index];
    while (true) {
      int child = 2 * index + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && activity[heap[child + 1]] > activity[heap[child]]) {
        child++;
      }
      if (activity[heap[child]] <= activity[variable]) {
        break;
      }
      heap[index] = heap[child];
      position[heap[index]] = index;
      index = child;
    }
    heap[index] = variable;
    position[variable] = index;
  }
}
