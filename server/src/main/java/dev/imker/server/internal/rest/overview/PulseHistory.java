package dev.imker.server.internal.rest.overview;

import dev.imker.model.change.Change;
import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last day in spans of about a minute and a half, and the last month in hours. Both are kept in
 * a bounded number of settings of the store, of which the oldest is written over.
 */
final class PulseHistory {
  static final int MAX_HOURS = 31 * 24;
  private static final int MAX_SPANS = 900;
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
  private static final String SPAN = "used-span/";
  private static final String HOUR = "used-hour/";

  private final long spanMillis;
  private final Deque<PulseSpan> spans = new ArrayDeque<>();
  private final Deque<PulseSpan> hours = new ArrayDeque<>();

  PulseHistory(Duration span) {
    spanMillis = span.toMillis();
  }

  /** Takes what was kept before this server led. */
  void recall(PoolStore store, long nowMillis) {
    List<PulseSpan> keptSpans = read(store, SPAN, nowMillis - DAY_MILLIS);
    List<PulseSpan> keptHours = read(store, HOUR, nowMillis - MAX_HOURS * HOUR_MILLIS);
    synchronized (this) {
      spans.clear();
      spans.addAll(keptSpans);
      hours.clear();
      hours.addAll(keptHours);
    }
  }

  private static List<PulseSpan> read(PoolStore store, String prefix, long sinceMillis) {
    return store.settings(prefix).values().stream()
        .map(PulseSpan::parse)
        .filter(span -> span.atMillis() > sinceMillis)
        .sorted(Comparator.comparingLong(PulseSpan::atMillis))
        .toList();
  }

  /** Returns what the store has to keep: the span, and the hour that was over before it. */
  synchronized List<Change> add(PulseSpan span) {
    List<Change> kept = new ArrayList<>();
    if (!spans.isEmpty() && hour(spans.getLast()) < hour(span)) {
      PulseSpan over = unfinishedHour();
      if (hours.isEmpty() || hour(hours.getLast()) < hour(over)) {
        push(hours, over, MAX_HOURS);
        kept.add(new SettingPut(HOUR + hour(over) % MAX_HOURS, over.text()));
      }
    }
    push(spans, span, MAX_SPANS);
    kept.add(new SettingPut(SPAN + span.atMillis() / spanMillis % MAX_SPANS, span.text()));
    return kept;
  }

  /** The last hours up to a day in detail; more of them hour by hour. */
  synchronized List<PulseSpan> last(int count, long nowMillis) {
    long since = nowMillis - count * HOUR_MILLIS;
    Stream<PulseSpan> all = spans.stream();
    if (count > 24 && !spans.isEmpty()) {
      PulseSpan present = unfinishedHour();
      all =
          Stream.concat(
              hours.stream().filter(hour -> hour(hour) < hour(present)), Stream.of(present));
    } else if (count > 24) {
      all = hours.stream();
    }
    return all.filter(span -> span.atMillis() > since).toList();
  }

  private PulseSpan unfinishedHour() {
    long hour = hour(spans.getLast());
    return PulseSpan.ofSpans(spans.stream().filter(span -> hour(span) == hour).toList());
  }

  private static long hour(PulseSpan span) {
    return span.atMillis() / HOUR_MILLIS;
  }

  private static void push(Deque<PulseSpan> all, PulseSpan one, int most) {
    if (all.size() >= most) {
      all.removeFirst();
    }
    all.addLast(one);
  }
}
