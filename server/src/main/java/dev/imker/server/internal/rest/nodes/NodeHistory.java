package dev.imker.server.internal.rest.nodes;

import dev.imker.model.Availability;
import dev.imker.model.NodeId;
import dev.imker.store.AvailabilityRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The life of a node.
 *
 * @param up from when to when it was there; the last one is open if it still is
 * @param runs tasks that came to their end on it, newest jobs first
 * @param survival share of its up-times that lasted at least so long (Kaplan and Meier)
 */
public record NodeHistory(List<Span> up, List<Run> runs, List<Point> survival) {
  /** An up-time; {@code toMillis} is null while it lasts. */
  record Span(long fromMillis, @Nullable Long toMillis) {}

  record Run(String task, String job, String state, long millis) {}

  /** A place on the curve. */
  record Point(long millis, double share) {}

  /** Up-times of a node among the comings and goings of all. */
  static List<Span> spans(List<AvailabilityRecord> comings, NodeId node) {
    List<Span> spans = new ArrayList<>();
    long since = -1;
    for (AvailabilityRecord record : comings) {
      if (!record.node().equals(node)) {
        continue;
      }
      boolean there = record.what() == Availability.UP || record.what() == Availability.BACK;
      if (there && since < 0) {
        since = record.atMillis();
      } else if (!there && since >= 0) {
        spans.add(new Span(since, record.atMillis()));
        since = -1;
      }
    }
    if (since >= 0) {
      spans.add(new Span(since, null));
    }
    return spans;
  }

  /** The up-time that still lasts counts as one that lasts longer than it has so far. */
  static List<Point> survival(List<Span> spans, long nowMillis) {
    record Length(long millis, boolean ended) {}
    List<Length> lengths = new ArrayList<>();
    for (Span span : spans) {
      long end = span.toMillis == null ? nowMillis : span.toMillis;
      lengths.add(new Length(end - span.fromMillis, span.toMillis != null));
    }
    lengths.sort(java.util.Comparator.comparingLong(Length::millis));
    List<Point> curve = new ArrayList<>();
    curve.add(new Point(0, 1));
    double share = 1;
    for (int i = 0; i < lengths.size(); i++) {
      if (lengths.get(i).ended) {
        share *= 1 - 1.0 / (lengths.size() - i);
      }
      curve.add(new Point(lengths.get(i).millis, share));
    }
    return curve;
  }
}
