package dev.imker.server.internal.rest.failures;

import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Groups failed tasks whose messages differ only in numbers. */
final class FailureGroups {
  private static final int MAX_GROUPS = 50;
  private static final int MAX_VALUES = 8;
  private static final Pattern DIGITS = Pattern.compile("\\d+");

  /**
   * A failed task.
   *
   * @param written whether it wrote to its error output
   */
  record Failed(
      int index, String message, boolean written, @Nullable Integer exitCode, String node) {}

  private record Key(String pattern, @Nullable Integer exitCode) {}

  private final JobId job;
  private final StageIndex stages;
  private final Map<Key, List<Failed>> groups = new LinkedHashMap<>();

  FailureGroups(JobId job, StageIndex stages) {
    this.job = job;
    this.stages = stages;
  }

  void add(Failed task) {
    Key key = new Key(DIGITS.matcher(task.message).replaceAll("#"), task.exitCode);
    groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(task);
  }

  /** The largest first. */
  List<FailuresView.Group> all() {
    return groups.values().stream()
        .sorted(Comparator.comparingInt((List<Failed> group) -> group.size()).reversed())
        .limit(MAX_GROUPS)
        .map(this::view)
        .toList();
  }

  private FailuresView.Group view(List<Failed> group) {
    Failed first = group.getFirst();
    Map<String, Integer> nodes = new TreeMap<>();
    for (Failed task : group) {
      if (!task.node.isEmpty()) {
        nodes.merge(task.node, 1, Integer::sum);
      }
    }
    return new FailuresView.Group(
        first.message,
        group.stream().anyMatch(task -> !task.message.equals(first.message)),
        first.written,
        group.size(),
        first.exitCode,
        nodes,
        params(group),
        TaskRange.text(ranges(group)),
        first.index + 1);
  }

  /** Neighbours together. */
  private List<TaskRange> ranges(List<Failed> group) {
    List<TaskRange> all = new ArrayList<>();
    for (Failed task : group) {
      TaskRange last = all.isEmpty() ? null : all.getLast();
      if (last != null && last.toExclusive() == task.index) {
        all.set(all.size() - 1, new TaskRange(job, last.from(), task.index + 1));
      } else {
        all.add(new TaskRange(job, task.index, task.index + 1));
      }
    }
    return all;
  }

  /** Values by parameter; of many numbers the least and the greatest, many others are left out. */
  private Map<String, List<String>> params(List<Failed> group) {
    Map<String, Set<String>> values = new LinkedHashMap<>();
    for (Failed task : group) {
      List<SweepAxis> axes = stages.stageOf(task.index).sweep();
      List<String> own = stages.params(task.index);
      for (int i = 0; i < axes.size(); i++) {
        values.computeIfAbsent(axes.get(i).name(), _ -> new LinkedHashSet<>()).add(own.get(i));
      }
    }
    Map<String, List<String>> few = new LinkedHashMap<>();
    values.forEach(
        (name, all) -> {
          if (all.size() <= MAX_VALUES) {
            few.put(name, List.copyOf(all));
          } else {
            range(all).ifPresent(range -> few.put(name, List.of(range)));
          }
        });
    return few;
  }

  private static Optional<String> range(Set<String> values) {
    TreeMap<Double, String> numbers = new TreeMap<>();
    try {
      values.forEach(value -> numbers.put(Double.parseDouble(value), value));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
    return Optional.of(numbers.firstEntry().getValue() + ".." + numbers.lastEntry().getValue());
  }
}
