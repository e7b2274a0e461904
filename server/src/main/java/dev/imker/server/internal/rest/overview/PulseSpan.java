package dev.imker.server.internal.rest.overview;

import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Means over a while, which ended then.
 *
 * @param used share of each amount that was taken, by name
 * @param figures tasks {@code queued}, {@code running} and {@code slots}, and attempts {@code done}
 *     and {@code failed} a second
 */
public record PulseSpan(
    long atMillis, SortedMap<String, Double> used, SortedMap<String, Double> figures) {
  private static final char FIGURE = '+';

  /**
   * Of neighbours, oldest first; the first one is only where the counts begin, if there are more.
   */
  static PulseSpan ofBeats(List<Pulse.Beat> beats) {
    Pulse.Beat first = beats.getFirst();
    Pulse.Beat last = beats.getLast();
    double seconds = (last.atMillis() - first.atMillis()) / 1000.0;
    SortedMap<String, Double> figures = new TreeMap<>();
    figures.put("queued", beats.stream().mapToLong(Pulse.Beat::queued).average().orElse(0));
    figures.put("running", beats.stream().mapToLong(Pulse.Beat::running).average().orElse(0));
    figures.put("slots", beats.stream().mapToInt(Pulse.Beat::slots).average().orElse(0));
    figures.put("done", seconds > 0 ? (last.done() - first.done()) / seconds : 0);
    figures.put("failed", seconds > 0 ? (last.failed() - first.failed()) / seconds : 0);
    return new PulseSpan(
        last.atMillis(), mean(beats.stream().map(Pulse.Beat::used).toList()), rounded(figures));
  }

  /** Of spans of the same length, oldest first. */
  static PulseSpan ofSpans(List<PulseSpan> spans) {
    return new PulseSpan(
        spans.getLast().atMillis,
        mean(spans.stream().map(PulseSpan::used).toList()),
        mean(spans.stream().map(PulseSpan::figures).toList()));
  }

  /** What is missing in some counts where it is there only. */
  private static SortedMap<String, Double> mean(Collection<SortedMap<String, Double>> all) {
    SortedMap<String, Double> sums = new TreeMap<>();
    SortedMap<String, Double> counts = new TreeMap<>();
    for (SortedMap<String, Double> one : all) {
      one.forEach(
          (name, value) -> {
            sums.merge(name, value, Double::sum);
            counts.merge(name, 1.0, Double::sum);
          });
    }
    sums.replaceAll((name, sum) -> sum / counts.getOrDefault(name, 1.0));
    return rounded(sums);
  }

  private static SortedMap<String, Double> rounded(SortedMap<String, Double> values) {
    values.replaceAll((_, value) -> Math.round(value * 1000) / 1000.0);
    return values;
  }

  String text() {
    StringBuilder text = new StringBuilder(Long.toString(atMillis));
    used.forEach((name, share) -> text.append(' ').append(name).append('=').append(share));
    figures.forEach(
        (name, value) -> text.append(' ').append(FIGURE).append(name).append('=').append(value));
    return text.toString();
  }

  static PulseSpan parse(String text) {
    String[] words = text.split(" ", -1);
    SortedMap<String, Double> used = new TreeMap<>();
    SortedMap<String, Double> figures = new TreeMap<>();
    for (int i = 1; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      double value = Double.parseDouble(words[i].substring(equals + 1));
      if (words[i].charAt(0) == FIGURE) {
        figures.put(words[i].substring(1, equals), value);
      } else {
        used.put(words[i].substring(0, equals), value);
      }
    }
    return new PulseSpan(Long.parseLong(words[0]), used, figures);
  }
}
