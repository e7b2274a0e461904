package dev.imker.server.internal.rest.failures;

import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;

/**
 * Finds what failed tasks have in common that tasks which are done have not: a stage, a machine,
 * the value of a parameter, or a range of numbers. How much something tells is the share of the
 * failed tasks that have it, less the share of the others.
 */
final class Contrast {
  /** What is said must hold for most of the failed tasks and for few of the others. */
  private static final double LEAST_TELLING = 0.5;

  private static final int MAX_SAID = 5;

  /** Of a parameter that every task has for itself, the first values are enough. */
  private static final int MAX_VALUES = 10_000;

  private record Trait(String kind, String name) {}

  /** Counts of each value, failed and done; only of values that failed tasks have. */
  private static final class Values {
    final Map<String, int[]> counts = new HashMap<>();
    boolean numbers = true;
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    String leastText = "";
    String mostText = "";
    int doneBetween;

    void addFailed(String value) {
      int[] known = counts.get(value);
      if (known != null) {
        known[0]++;
      } else if (counts.size() < MAX_VALUES) {
        counts.put(value, new int[] {1, 0});
      }
      OptionalDouble number = numbers ? number(value) : OptionalDouble.empty();
      if (number.isEmpty()) {
        numbers = false;
        return;
      }
      if (number.getAsDouble() < least) {
        least = number.getAsDouble();
        leastText = value;
      }
      if (number.getAsDouble() > most) {
        most = number.getAsDouble();
        mostText = value;
      }
    }

    void addDone(String value) {
      int[] known = counts.get(value);
      if (known != null) {
        known[1]++;
      }
      OptionalDouble number = numbers ? number(value) : OptionalDouble.empty();
      if (number.isEmpty()) {
        numbers = false;
      } else if (number.getAsDouble() >= least && number.getAsDouble() <= most) {
        doneBetween++;
      }
    }

    private static OptionalDouble number(String value) {
      try {
        return OptionalDouble.of(Double.parseDouble(value));
      } catch (NumberFormatException e) {
        return OptionalDouble.empty();
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

  /** All failed tasks come before the first one that is done. */
  void addFailed(int index, String node) {
    failed++;
    forEachTrait(
        index,
        node,
        (trait, value) -> traits.computeIfAbsent(trait, _ -> new Values()).addFailed(value));
  }

  void addDone(int index, String node) {
    done++;
    forEachTrait(
        index,
        node,
        (trait, value) -> {
          Values known = traits.get(trait);
          if (known != null) {
            known.addDone(value);
          }
        });
  }

  private void forEachTrait(int index, String node, BiConsumer<Trait, String> action) {
    if (staged) {
      action.accept(new Trait("stage", ""), stages.stageOf(index).name());
    }
    if (!node.isEmpty()) {
      action.accept(new Trait("node", ""), node);
    }
    List<SweepAxis> axes = stages.stageOf(index).sweep();
    List<String> values = stages.params(index);
    for (int i = 0; i < axes.size(); i++) {
      action.accept(new Trait("param", axes.get(i).name()), values.get(i));
    }
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
      FailuresView.Difference found =
          new FailuresView.Difference(
              trait.kind,
              trait.name,
              null,
              values.leastText,
              values.mostText,
              failed,
              failed,
              values.doneBetween,
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
