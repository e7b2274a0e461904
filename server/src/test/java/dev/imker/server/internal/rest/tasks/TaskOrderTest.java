package dev.imker.server.internal.rest.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.TaskState;
import dev.imker.server.internal.columns.TaskColumns;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Pages of an order are those of the whole, sorted. */
class TaskOrderTest {
  /** Figures at random; a third of the tasks has none. */
  private record Columns(int tasks, long[] starts, long[] ends, byte[] states)
      implements TaskColumns {
    static Columns random(Random random, int tasks) {
      Columns columns = new Columns(tasks, new long[tasks], new long[tasks], new byte[tasks]);
      for (int i = 0; i < tasks; i++) {
        columns.states[i] = (byte) random.nextInt(3, 8);
        if (random.nextInt(3) > 0) {
          columns.starts[i] = 1_700_000_000_000L + random.nextInt(50);
          columns.ends[i] = columns.starts[i] + random.nextInt(20);
        }
      }
      return columns;
    }

    @Override
    public byte state(int index) {
      return states[index];
    }

    @Override
    public long started(int index) {
      return starts[index];
    }

    @Override
    public long ended(int index) {
      return ends[index];
    }

    @Override
    public int attempts(int index) {
      return 1;
    }
  }

  @Trials(200)
  void pages_put_together_are_all_tasks_in_order(Generator random) {
    int tasks = random.between(1, 400);
    int limit = random.between(1, 90);
    boolean descending = random.nextBoolean();
    boolean filtered = random.nextBoolean();
    Columns columns = Columns.random(random, tasks);
    Set<TaskState> wanted = filtered ? Set.of(TaskState.DONE, TaskState.CANCELLED) : Set.of();
    TaskOrder order = new TaskOrder(columns, TaskOrder.Key.DURATION, wanted, descending);
    List<Integer> paged = new ArrayList<>();
    for (int from = 0; from < tasks; from += limit) {
      for (int index : order.page(from, limit)) {
        paged.add(index);
      }
    }
    assertThat(paged).isEqualTo(sorted(columns, wanted, descending));
  }

  private static List<Integer> sorted(Columns columns, Set<TaskState> wanted, boolean descending) {
    List<Integer> with = new ArrayList<>();
    List<Integer> without = new ArrayList<>();
    for (int i = 0; i < columns.tasks; i++) {
      if (wanted.isEmpty() || wanted.contains(TaskState.values()[columns.states[i]])) {
        (columns.starts[i] > 0 ? with : without).add(i);
      }
    }
    Comparator<Integer> byTime =
        Comparator.<Integer>comparingLong(i -> columns.ends[i] - columns.starts[i])
            .thenComparing(Comparator.naturalOrder());
    with.sort(descending ? byTime.reversed() : byTime);
    with.addAll(without);
    return with;
  }
}
