package dev.imker.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

class TaskLimitsTest {
  private static final int TASKS = 20;

  /** Lays limits over each other task by task, and as ranges. */
  @Trials(300)
  void ranges_say_the_same_as_single_tasks(long seed) {
    Random random = new Random(seed);
    @Nullable Integer[] priorities = new Integer[TASKS];
    @Nullable String[] pins = new String[TASKS];
    List<TaskLimits> all = List.of();
    for (int step = 0; step < 15; step++) {
      int from = random.nextInt(TASKS);
      int to = from + 1 + random.nextInt(TASKS - from);
      Integer priority = random.nextBoolean() ? random.nextInt(3) : null;
      String pin = random.nextBoolean() ? "n" + random.nextInt(2) : null;
      for (int i = from; i < to; i++) {
        priorities[i] = priority == null ? priorities[i] : priority;
        pins[i] = pin == null ? pins[i] : pin;
      }
      all = TaskLimits.overlay(all, new TaskLimits(from, to, priority, null, null, pin));
      check(all, priorities, pins);
    }
  }

  private static void check(
      List<TaskLimits> all, @Nullable Integer[] priorities, @Nullable String[] pins) {
    for (int i = 0; i < TASKS; i++) {
      TaskLimits own = TaskLimits.of(all, i);
      assertThat(own == null ? null : own.priority()).isEqualTo(priorities[i]);
      assertThat(own == null ? null : own.pin()).isEqualTo(pins[i]);
    }
    List<TaskLimits> sorted = new ArrayList<>(all);
    for (int i = 1; i < sorted.size(); i++) {
      TaskLimits before = sorted.get(i - 1);
      TaskLimits after = sorted.get(i);
      assertThat(before.toExclusive()).isLessThanOrEqualTo(after.from());
      boolean joinable =
          before.toExclusive() == after.from()
              && Objects.equals(before.priority(), after.priority())
              && Objects.equals(before.pin(), after.pin());
      assertThat(joinable).isFalse();
    }
  }
}
