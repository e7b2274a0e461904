package dev.imker.bench.packing;

import dev.imker.bench.packing.MixedPool.Task;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Runs the tasks of a pool in virtual time until none is left to begin. */
abstract class PackingRun {
  private record End(long atMillis, long number, int machine, Task task) {}

  final MixedPool pool;
  final int[][] free;
  long nowMillis;
  private final PriorityQueue<End> ends =
      new PriorityQueue<>(Comparator.comparingLong(End::atMillis).thenComparingLong(End::number));
  private final double[] busyMillis = new double[Amounts.NAMES.length];
  private final long[] waitMillis;
  private long started;
  private int left;

  PackingRun(MixedPool pool) {
    this.pool = pool;
    this.waitMillis = new long[pool.projects().size()];
    this.left = pool.projects().stream().mapToInt(MixedPool.Project::tasks).sum();
    this.free = new int[pool.machines().size()][Amounts.NAMES.length];
    for (int machine = 0; machine < free.length; machine++) {
      change(machine, pool.machines().get(machine), 1);
    }
  }

  /** Begins what can begin now. */
  abstract void fill();

  abstract void ended(int machine, Task task);

  final PackingRun run() {
    fill();
    while (left > 0) {
      End next = ends.remove();
      pass(next.atMillis());
      end(next);
      while (!ends.isEmpty() && ends.peek().atMillis() == nowMillis) {
        end(ends.remove());
      }
      fill();
    }
    return this;
  }

  private void end(End end) {
    change(end.machine(), pool.needs(end.task()), 1);
    ended(end.machine(), end.task());
  }

  private void pass(long toMillis) {
    for (int resource = 0; resource < busyMillis.length; resource++) {
      long used = pool.capacity(resource);
      for (int[] machine : free) {
        used -= machine[resource];
      }
      busyMillis[resource] += (double) used * (toMillis - nowMillis);
    }
    nowMillis = toMillis;
  }

  final void begin(int machine, Task task) {
    change(machine, pool.needs(task), -1);
    waitMillis[task.project()] += nowMillis;
    ends.add(new End(nowMillis + task.millis(), started++, machine, task));
    left--;
  }

  private void change(int machine, Amounts amounts, int sign) {
    for (int resource = 0; resource < Amounts.NAMES.length; resource++) {
      free[machine][resource] += sign * amounts.of(resource);
      if (free[machine][resource] < 0) {
        throw new IllegalStateException("machine " + machine + " gave out more than it has");
      }
    }
  }

  final boolean fits(int machine, Amounts amounts) {
    for (int resource = 0; resource < Amounts.NAMES.length; resource++) {
      if (free[machine][resource] < amounts.of(resource)) {
        return false;
      }
    }
    return true;
  }

  /** Part of a resource that was in use until the last task began. */
  final double utilisation(int resource) {
    return busyMillis[resource] / nowMillis / Math.max(1, pool.capacity(resource));
  }

  final double meanWaitSeconds(int project) {
    return waitMillis[project] / 1000.0 / pool.projects().get(project).tasks();
  }
}
