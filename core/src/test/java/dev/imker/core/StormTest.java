package dev.imker.core;

import org.junit.jupiter.api.Test;

/** Random events in any order; everything must hold after each of them. */
class StormTest {
  private static final long SEED = Long.getLong("imker.seed", System.nanoTime());

  @Test
  void random_events_break_nothing_and_every_task_comes_to_an_end() {
    rounds(60, 400, 0);
  }

  @Test
  void scheduler_rebuilt_from_its_changes_goes_on_as_the_old_one() {
    rounds(60, 300, 100);
  }

  @Test
  void scheduler_survives_a_crash_after_every_single_event() {
    rounds(20, 150, 1);
  }

  @Test
  void lost_tasks_that_return_late_survive_as_well() {
    for (int round = 0; round < 30; round++) {
      run(SEED + 10_000 + round, 300, 100, 500);
    }
  }

  private static void rounds(int rounds, int events, int restartOneIn) {
    for (int round = 0; round < rounds; round++) {
      run(SEED + round, events, restartOneIn, 0);
    }
  }

  private static void run(long seed, int events, int restartOneIn, long returnDelayMillis) {
    try {
      Storm storm = new Storm(seed, restartOneIn, returnDelayMillis);
      storm.rage(events);
      storm.calmDown();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed + " (-Dimker.seed=" + seed + "): " + e, e);
    }
  }
}
