package dev.imker.server.internal.rest.jobs;

import dev.imker.core.matching.UnmetNeeds;
import dev.imker.model.Granted;
import dev.imker.model.Platform;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.job.Stage;
import dev.imker.model.text.NearNames;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.rest.nodes.NodeDirectory.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * What all machines that the pool knows have, connected or not, and what there is once for all of
 * them: whether a job could ever run.
 */
record PoolOffer(List<Machine> machines, Map<String, Double> shared) {
  /** For jobs that any machine can run. */
  static final PoolOffer NOTHING_ASKED = new PoolOffer(List.of(), Map.of());

  private static final double GIGABYTE = 1L << 30;

  /**
   * @throws ApiException if every way to run a stage takes something that nobody has
   */
  JobSpec requireKnownResources(JobSpec spec) {
    Set<String> known = new TreeSet<>(shared.keySet());
    machines.forEach(machine -> known.addAll(machine.platform().resources().keySet()));
    for (Stage stage : spec.stages()) {
      List<Need> ways = stage.needs().alternatives();
      List<String> unknown =
          ways.stream()
              .flatMap(need -> need.resources().keySet().stream().sorted())
              .filter(name -> !known.contains(name))
              .toList();
      if (!ways.isEmpty()
          && ways.stream().noneMatch(need -> known.containsAll(need.resources().keySet()))) {
        String name = unknown.getFirst();
        String hint =
            NearNames.nearest(name, known)
                .map(near -> "Did you mean " + near + "?")
                .orElse(
                    "Declare it with 'imker agent --resource %s=1' on a machine, or with 'imker resources set %s 1' for the pool, then submit again."
                        .formatted(name, name));
        throw ApiException.of(
            409,
            "no_resource",
            "Nobody has '%s': neither a machine nor the pool has declared it. %s"
                .formatted(name, hint),
            "needs.resources." + name);
      }
    }
    return spec;
  }

  /** What no machine could ever meet; empty if all stages could run somewhere. */
  List<String> warnings(JobSpec spec) {
    if (machines.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    for (Stage stage : spec.stages()) {
      if (machines.stream().noneMatch(machine -> unmet(stage.needs(), machine).isEmpty())) {
        all.add((stage.name().isEmpty() ? "" : stage.name() + ": ") + inWords(stage.needs()));
      }
    }
    return all.stream().distinct().toList();
  }

  private List<String> unmet(Requirements needs, Machine machine) {
    return UnmetNeeds.of(
        needs,
        machine.platform(),
        machine.platform().cores(),
        name -> shared.getOrDefault(name, -1.0));
  }

  private String inWords(Requirements needs) {
    for (Need need : needs.alternatives()) {
      Optional<String> most = tooMuch(need);
      if (most.isPresent()) {
        return most.get() + " The job waits until one joins.";
      }
    }
    Machine nearest =
        machines.stream()
            .min(
                Comparator.comparingInt(machine -> String.join("", unmet(needs, machine)).length()))
            .orElseThrow();
    return "No machine can run it; the nearest, %s, %s. The job waits until one joins."
        .formatted(nearest.name(), String.join("; or ", unmet(needs, nearest)));
  }

  /** The first amount that is more than any machine has. */
  private Optional<String> tooMuch(Need need) {
    List<Optional<String>> all = new ArrayList<>();
    all.add(tooMuch(need.cores(), "cores", Platform::cores));
    all.add(tooMuch(need.gpus(), "GPUs", Platform::gpus));
    all.add(tooManyBytes(need.memoryBytes(), "memory", Platform::memoryBytes));
    all.add(tooManyBytes(need.heapBytes(), "memory for a Java heap", Platform::memoryBytes));
    all.add(tooManyBytes(need.diskBytes(), "disk", Platform::diskBytes));
    need.resources()
        .forEach(
            (name, amount) -> {
              Double there = shared.get(name);
              all.add(
                  there == null
                      ? tooMuch(amount, name, platform -> platform.amountOf(name))
                      : amount > there
                          ? Optional.of(
                              "The pool has %s %s, but %s are requested."
                                  .formatted(number(there), name, number(amount)))
                          : Optional.empty());
            });
    return all.stream().flatMap(Optional::stream).findFirst();
  }

  private Optional<String> tooMuch(double wanted, String what, ToDoubleFunction<Platform> amount) {
    Machine largest = largest(amount);
    double most = amount.applyAsDouble(largest.platform());
    if (most >= wanted) {
      return Optional.empty();
    }
    return Optional.of(
        most == 0
            ? "No machine has any %s.".formatted(what)
            : "No machine has %s %s; the largest, %s, has %s."
                .formatted(number(wanted), what, largest.name(), number(most)));
  }

  private Optional<String> tooManyBytes(
      long wanted, String what, ToDoubleFunction<Platform> amount) {
    Machine largest = largest(amount);
    double most = amount.applyAsDouble(largest.platform());
    return most >= wanted
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "No machine has %.1f GB of %s; the largest, %s, has %.1f GB.",
                wanted / GIGABYTE,
                what,
                largest.name(),
                most / GIGABYTE));
  }

  private Machine largest(ToDoubleFunction<Platform> amount) {
    return machines.stream()
        .max(Comparator.comparingDouble(machine -> amount.applyAsDouble(machine.platform())))
        .orElseThrow();
  }

  private static String number(double amount) {
    return Granted.inWords(Requirements.hundredths(amount));
  }
}
