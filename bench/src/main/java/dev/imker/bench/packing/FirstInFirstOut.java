package dev.imker.bench.packing;

import dev.imker.bench.packing.MixedPool.Task;
import java.util.ArrayDeque;
import java.util.Deque;

/** Tasks begin in the order of their submission; while the first fits nowhere, all wait. */
final class FirstInFirstOut extends PackingRun {
  private final Deque<Task> queue;

  FirstInFirstOut(MixedPool pool) {
    super(pool);
    queue = new ArrayDeque<>(pool.tasks());
  }

  @Override
  void fill() {
    for (Task first = queue.peek(); first != null; first = queue.peek()) {
      int machine = tightest(pool.needs(first));
      if (machine < 0) {
        return;
      }
      begin(machine, queue.remove());
    }
  }

  /** The machine that has the fewest cores left of those where it fits; −1 without one. */
  private int tightest(Amounts needs) {
    int best = -1;
    for (int machine = 0; machine < free.length; machine++) {
      if (fits(machine, needs) && (best < 0 || free[machine][0] < free[best][0])) {
        best = machine;
      }
    }
    return best;
  }

  @Override
  void ended(int machine, Task task) {}
}
