package dev.imker.core.strategy.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WeekPatternTest {
  private static final long MINUTE = 60_000;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final long MONDAY = 4 * DAY;
  private static final long HALF_PAST_EIGHT = (8 * 60 + 30) * MINUTE;

  private final WeekPattern pattern = new WeekPattern();

  @Test
  void without_a_pattern_minutes_count_as_they_are() {
    assertThat(pattern.usualMinutes(MONDAY, 0, 300)).isEqualTo(300);
  }

  @Test
  void hour_in_which_nodes_go_down_every_day_counts_for_many() {
    days(0, 4, 10);
    long night = MONDAY + 4 * DAY + 60 * MINUTE;
    assertThat(pattern.usualMinutes(night, 3, 240)).isLessThan(200);
    long before = MONDAY + 4 * DAY + 8 * 60 * MINUTE;
    assertThat(pattern.usualMinutes(before, 3, 60)).isGreaterThan(180);
  }

  @Test
  void minutes_add_up_over_the_end_of_the_week() {
    days(0, 4, 10);
    long sunday = MONDAY + 6 * DAY + 22 * 60 * MINUTE;
    double whole = pattern.usualMinutes(sunday, 1, 600);
    double parts =
        pattern.usualMinutes(sunday, 1, 200) + pattern.usualMinutes(sunday + 200 * MINUTE, 1, 400);
    assertThat(whole).isCloseTo(parts, within(0.1));
  }

  @Test
  void node_that_stays_up_is_less_affected_than_the_pool() {
    days(0, 4, 10);
    long before = MONDAY + 4 * DAY + 8 * 60 * MINUTE;
    double leaver = pattern.usualMinutes(before, 3, 60);
    double stayer = pattern.usualMinutes(before, 9, 60);
    assertThat(stayer).isLessThan(leaver);
  }

  /** Nodes 0 to 8 go down every day at half past eight; node 9 goes down at odd times. */
  private void days(int from, int to, int nodes) {
    for (int day = from; day < to; day++) {
      for (long minute = 30; minute <= 24 * 60; minute += 30) {
        long now = MONDAY + day * DAY + minute * MINUTE;
        for (int node = 0; node < nodes; node++) {
          pattern.onUp(now, node, 30);
          boolean leaves = minute * MINUTE == HALF_PAST_EIGHT;
          boolean odd = minute == 60L * (1 + 5L * day % 24);
          if (node == 9 ? odd : leaves) {
            pattern.onOutage(now, node);
          }
        }
      }
    }
    pattern.refresh(MONDAY + to * DAY);
  }
}
