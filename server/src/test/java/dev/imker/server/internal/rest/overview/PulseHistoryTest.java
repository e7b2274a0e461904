package dev.imker.server.internal.rest.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.change.Change;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulseHistoryTest {
  private static final Duration SPAN = Duration.ofMinutes(20);
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int DAYS = 40;

  @TempDir Path folder;

  /** Three spans an hour, of which the hour's mean of running tasks is its number. */
  private static PulseSpan span(long hour, int third) {
    return new PulseSpan(
        hour * HOUR + third * SPAN.toMillis(),
        new TreeMap<>(Map.of("cores", third / 2.0)),
        new TreeMap<>(Map.of("running", hour - 1.0 + third)));
  }

  @Test
  void a_month_is_kept_hour_by_hour_in_bounded_space_and_over_restarts() {
    long nowMillis = DAYS * 24 * HOUR + HOUR / 2;
    try (PoolStore store = SqliteStore.open(folder)) {
      PulseHistory history = new PulseHistory(SPAN);
      List<Change> changes = new ArrayList<>();
      for (long hour = 0; hour <= DAYS * 24; hour++) {
        for (int third = 0; third < 3 && span(hour, third).atMillis() <= nowMillis; third++) {
          changes.addAll(history.add(span(hour, third)));
        }
      }
      store.commit(changes);
      assertThat(store.settings("used-hour/")).hasSize(PulseHistory.MAX_HOURS);
      isTheLastMonth(history.last(PulseHistory.MAX_HOURS, nowMillis));
      assertThat(history.last(1, nowMillis)).hasSize(3);
    }
    try (PoolStore store = SqliteStore.open(folder)) {
      PulseHistory history = new PulseHistory(SPAN);
      history.recall(store, nowMillis);
      isTheLastMonth(history.last(PulseHistory.MAX_HOURS, nowMillis));
      assertThat(history.last(48, nowMillis)).hasSize(48 + 1);
    }
  }

  private static void isTheLastMonth(List<PulseSpan> spans) {
    assertThat(spans).hasSize(PulseHistory.MAX_HOURS + 1);
    PulseSpan whole = spans.get(spans.size() - 2);
    assertThat(whole.figures()).containsEntry("running", DAYS * 24 - 1.0);
    assertThat(whole.used()).containsEntry("cores", 0.5);
    assertThat(spans.getLast().figures()).containsEntry("running", DAYS * 24 - 0.5);
  }
}
