package dev.imker.core.internal.leases;

import dev.imker.core.internal.tasks.LongTable;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.model.TaskState;
import java.util.Comparator;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Tasks in their back-off before the next attempt, by its end. */
final class Pauses {
  private static final long LONGEST_MILLIS = 24L * 60 * 60 * 1000;

  /** A pause; void if the task has done something else meanwhile. */
  record Pause(TaskArray job, int index, long untilMillis) {}

  private final PriorityQueue<Pause> due =
      new PriorityQueue<>(Comparator.comparingLong(Pause::untilMillis));

  /** How long a task pauses after so many failures: twice as long every time. */
  static long millis(StageTasks stage, int failures) {
    long first = stage.header().rules().backoffMillis();
    int doublings = Math.clamp(failures - 1L, 0, 20);
    return first >= LONGEST_MILLIS ? first : Math.min(first << doublings, LONGEST_MILLIS);
  }

  void add(TaskArray job, int index, long untilMillis) {
    LongTable<Long> pauses = job.pauses;
    if (pauses == null) {
      pauses = new LongTable<>();
      job.pauses = pauses;
    }
    pauses.put(index, untilMillis);
    due.add(new Pause(job, index, untilMillis));
  }

  /** A task whose pause is over; null if there is none. */
  @Nullable Pause pollDue(long nowMillis) {
    while (!due.isEmpty() && due.element().untilMillis <= nowMillis) {
      Pause pause = due.remove();
      LongTable<Long> pauses = pause.job.pauses;
      if (pauses != null && Objects.equals(pauses.get(pause.index), pause.untilMillis)) {
        pauses.remove(pause.index);
        if (pause.job.state(pause.index) == TaskState.WAITING) {
          return pause;
        }
      }
    }
    return null;
  }
}
