package dev.imker.server.internal.rest.failures;

import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what failed tasks have in common that tasks which are done have not: a stage, a machine,
 * the value of a parameter, or a range of numbers. How much something tells is the share of the
 * failed tasks that have it, less the share of the others.
 */
final class Contrast {
  /** What is said must hold for most of the failed tasks and for few of the others. */
  private static final double LEAST_TELLING = 0.5;

  private static final int MAX_SAID = 5;

  /** Values of a parameter that every task has for itself are looked at as numbers only. */
  private static final int MAX_VALUES = 10_000;

  private record Trait(String kind, String name) {}

  /** Counts of one value: failed, done. */
  private static final class Values {
    final Map<String, int[]> counts = new HashMap<>();
    boolean numbers = true;
    boolean tooMany;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    String leastText = "";
    String mostText = "";
    final List<Double> done = new ArrayList<>();

    void add(String value, boolean failed) {
      if (numbers) {
        addNumber(value, failed);
      }
      if (!tooMany || counts.containsKey(value)) {
        counts.computeIfAbsent(value, _ -> new int[2])[failed ? 0 : 1]++;
        tooMany = counts.size() > MAX_VALUES;
      }
    }

    private void addNumber(String value, boolean failed) {
      double number;
      try {
        number = Double.parseDouble(value);
      } catch (NumberFormatException e) {
        numbers = false;
        done.clear();
        return;
      }
      if (!failed) {
        done.add(number);
        return;
      }
      if (number < least) {
        least = number;
        leastText = value;
      }
      if (number > most) {
        most = number;
        mostText = value;
      }
    }
  }

  private final StageIndex stages;
  private final boolean staged;
  private final Map<Trait, Values> traits = new HashMap<>();
  private int failed;
  private int done;

  Contrast(StageIndex stages) {
    this.stages = stages;
    staged = stages.taskCount() > 0 && stages.endOf(0) < stages.taskCount();
  }

  void add(int index, String node, boolean hasFailed) {
    if (hasFailed) {
      failed++;
    } else {
      done++;
    }
    if (staged) {
      count("stage", "", stages.stageOf(index).name(), hasFailed);
    }
    if (!node.isEmpty()) {
      count("node", "", node, hasFailed);
    }
    List<SweepAxis> axes = stages.stageOf(index).sweep();
    List<String> values = stages.params(index);
    for (int i = 0; i < axes.size(); i++) {
      count("param", axes.get(i).name(), values.get(i), hasFailed);
    }
  }

  private void count(String kind, String name, String value, boolean hasFailed) {
    traits.computeIfAbsent(new Trait(kind, name), _ -> new Values()).add(value, hasFailed);
  }

  /** What tells most comes first; nothing if there is nobody to compare with. */
  List<FailuresView.Difference> differences() {
    List<FailuresView.Difference> all = new ArrayList<>();
    if (failed > 0 && done > 0) {
      traits.forEach((trait, values) -> addTelling(trait, values, all));
    }
    return all.stream()
        .sorted(Comparator.comparingDouble(Contrast::telling).reversed())
        .limit(MAX_SAID)
        .toList();
  }

  private void addTelling(Trait trait, Values values, List<FailuresView.Difference> all) {
    int before = all.size();
    values.counts.forEach(
        (value, counts) -> {
          FailuresView.Difference found =
              new FailuresView.Difference(
                  trait.kind, trait.name, value, null, null, counts[0], failed, counts[1], done);
          if (telling(found) >= LEAST_TELLING) {
            all.add(found);
          }
        });
    if (all.size() == before && values.numbers && values.least < values.most) {
      int among =
          (int) values.done.stream().filter(n -> n >= values.least && n <= values.most).count();
      FailuresView.Difference found =
          new FailuresView.Difference(
              trait.kind,
              trait.name,
              null,
              values.leastText,
              values.mostText,
              failed,
              failed,
              among,
              done);
      if (telling(found) >= LEAST_TELLING) {
        all.add(found);
      }
    }
  }

  private static double telling(FailuresView.Difference one) {
    return (double) one.failed() / one.ofFailed() - (double) one.succeeded() / one.ofSucceeded();
  }
}
