package dev.imker.server.internal.rest.failures;

import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Finds what failed tasks have in common that finished ones have not: a stage, a machine, a
 * parameter value, or a range of numbers. The significance is the share of the failed tasks that
 * have it minus the share of the others.
 */
final class Contrast {
  /** What is said must hold for most of the failed tasks and for few of the others. */
  private static final double MIN_DIFFERENCE = 0.5;

  private static final int MAX_STATEMENTS = 5;

  /** Of a parameter that every task has for itself, the first values are enough. */
  private static final int MAX_VALUES = 10_000;

  /** Of more numbers, no range is looked for. */
  private static final int MAX_NUMBERS = 100_000;

  private record Trait(String kind, String name) {}

  /** Of one number: failed tasks that have it, others, and others up to the next one. */
  private static final class Spot {
    final String text;
    int failed;
    int done;
    int doneBehind;

    Spot(String text) {
      this.text = text;
    }
  }

  /** From one number to another. */
  private record Span(Spot from, Spot to, int failed, int done) {}

  /** Counts of each value, failed and done; only of values that failed tasks have. */
  private static final class Values {
    final Map<String, int[]> counts = new HashMap<>();
    final TreeMap<Double, Spot> spots = new TreeMap<>();
    boolean numbers = true;

    void addFailed(String value) {
      int[] known = counts.get(value);
      if (known != null) {
        known[0]++;
      } else if (counts.size() < MAX_VALUES) {
        counts.put(value, new int[] {1, 0});
      }
      OptionalDouble number = number(value);
      numbers &= number.isPresent() && spots.size() < MAX_NUMBERS;
      if (numbers) {
        spots.computeIfAbsent(number.getAsDouble(), _ -> new Spot(value)).failed++;
      }
    }

    void addDone(String value) {
      int[] known = counts.get(value);
      if (known != null) {
        known[1]++;
      }
      OptionalDouble number = number(value);
      numbers &= number.isPresent();
      Map.Entry<Double, Spot> spot = numbers ? spots.floorEntry(number.getAsDouble()) : null;
      if (spot != null && spot.getKey() == number.getAsDouble()) {
        spot.getValue().done++;
      } else if (spot != null) {
        spot.getValue().doneBehind++;
      }
    }

    /** The numbers between which lie most of the failed tasks and fewest of the others. */
    Optional<Span> span(int failed, int done) {
      Span best = null;
      double most = 0;
      Span open = null;
      double sum = 0;
      for (Spot spot : numbers ? List.copyOf(spots.values()) : List.<Spot>of()) {
        if (open == null || sum <= 0) {
          open = new Span(spot, spot, 0, 0);
          sum = 0;
        }
        open = new Span(open.from, spot, open.failed + spot.failed, open.done + spot.done);
        sum += (double) spot.failed / failed - (double) spot.done / done;
        if (sum > most) {
          most = sum;
          best = open;
        }
        open = new Span(open.from, spot, open.failed, open.done + spot.doneBehind);
        sum -= (double) spot.doneBehind / done;
      }
      return Optional.ofNullable(best).filter(span -> span.from != span.to);
    }

    private OptionalDouble number(String value) {
      try {
        return numbers ? OptionalDouble.of(Double.parseDouble(value)) : OptionalDouble.empty();
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
        .limit(MAX_STATEMENTS)
        .toList();
  }

  private void addTelling(Trait trait, Values values, List<FailuresView.Difference> all) {
    int before = all.size();
    values.counts.forEach(
        (value, counts) -> {
          FailuresView.Difference found =
              new FailuresView.Difference(
                  trait.kind, trait.name, value, null, null, counts[0], failed, counts[1], done);
          if (telling(found) >= MIN_DIFFERENCE) {
            all.add(found);
          }
        });
    if (all.size() == before) {
      values
          .span(failed, done)
          .map(
              span ->
                  new FailuresView.Difference(
                      trait.kind,
                      trait.name,
                      null,
                      span.from.text,
                      span.to.text,
                      span.failed,
                      failed,
                      span.done,
                      done))
          .filter(found -> telling(found) >= MIN_DIFFERENCE)
          .ifPresent(all::add);
    }
  }

  private static double telling(FailuresView.Difference one) {
    return (double) one.failed() / one.ofFailed() - (double) one.succeeded() / one.ofSucceeded();
  }
}
