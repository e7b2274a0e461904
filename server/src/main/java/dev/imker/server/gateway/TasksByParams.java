package dev.imker.server.gateway;

import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.recent.RecentMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tasks of a stage by values of its parameters without examining all of them. The number
 * of a task is made of digits, one for each group of axes that vary together; each digit is looked
 * up for itself. Where values of a long list are, is sorted once and kept for a while.
 */
final class TasksByParams {
  private static final int MAX_KEPT = 64;

  /** The same list, not one that is equal: comparing would take as long as searching. */
  private record Key(List<String> values) {
    @Override
    @SuppressWarnings("ReferenceEquality") // that is what it is for
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.values == values;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(values);
    }
  }

  /** Positions of values, in the order of the values. */
  private static final Map<Key, int[]> SORTED =
      Collections.synchronizedMap(RecentMap.ofLastUsed(MAX_KEPT));

  private TasksByParams() {}

  /**
   * The positions in the stage of all tasks with these values, in their order.
   *
   * @param wanted of some of its parameters, by name
   */
  static List<Integer> find(Stage stage, Map<String, String> wanted) {
    Map<String, List<SweepAxis>> digits = new LinkedHashMap<>();
    for (SweepAxis axis : stage.sweep()) {
      String digit = axis.zip().isEmpty() ? "axis " + axis.name() : "zip " + axis.zip();
      digits.computeIfAbsent(digit, _ -> new ArrayList<>()).add(axis);
    }
    List<Integer> found = List.of(0);
    for (List<SweepAxis> digit : digits.values()) {
      int size = Math.toIntExact(digit.getFirst().size());
      int[] positions = positions(digit, wanted, size);
      List<Integer> longer = new ArrayList<>();
      for (int before : found) {
        for (int position : positions) {
          longer.add(before * size + position);
        }
      }
      found = longer;
    }
    return found;
  }

  private static int[] positions(List<SweepAxis> digit, Map<String, String> wanted, int size) {
    List<SweepAxis> asked = digit.stream().filter(axis -> wanted.containsKey(axis.name())).toList();
    if (asked.isEmpty()) {
      return IntStream.range(0, size).toArray();
    }
    SweepAxis first = asked.getFirst();
    return positions(first, Objects.requireNonNull(wanted.get(first.name())))
        .filter(
            position ->
                asked.stream()
                    .allMatch(axis -> axis.value(position).equals(wanted.get(axis.name()))))
        .sorted()
        .toArray();
  }

  /** Where a value may be. */
  private static IntStream positions(SweepAxis axis, String value) {
    SweepAxis.Range range = axis.range();
    if (range != null) {
      return position(range, value);
    }
    List<String> values = Objects.requireNonNull(axis.values());
    int[] sorted = SORTED.computeIfAbsent(new Key(values), _ -> sorted(values));
    int from = lowest(values, sorted, value);
    return IntStream.range(from, sorted.length)
        .map(i -> sorted[i])
        .takeWhile(position -> values.get(position).equals(value));
  }

  private static IntStream position(SweepAxis.Range range, String value) {
    try {
      long distance = Math.abs(Math.subtractExact(Long.parseLong(value), range.from()));
      long position = distance / range.step();
      return position < range.size() ? IntStream.of((int) position) : IntStream.empty();
    } catch (NumberFormatException | ArithmeticException e) {
      return IntStream.empty();
    }
  }

  private static int[] sorted(List<String> values) {
    return IntStream.range(0, values.size())
        .boxed()
        .sorted(Comparator.comparing(values::get))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The first place whose value is not less than the wanted one. */
  private static int lowest(List<String> values, int[] sorted, String wanted) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (values.get(sorted[middle]).compareTo(wanted) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
