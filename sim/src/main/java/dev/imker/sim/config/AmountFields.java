package dev.imker.sim.config;

import dev.imker.model.Platform;
import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.validation.Amounts;
import dev.imker.model.validation.JobLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of machines and tasks as written in a file.
 *
 * @param values of the {@link #NAMES} that are present; resources are a mapping
 * @param wrong creates an exception from a name and a description of the mistake
 */
record AmountFields(
    Function<String, @Nullable Object> values, BiFunction<String, String, SimException> wrong) {
  static final Set<String> NAMES = Set.of("cores", "memory", "disk", "gpus", "resources");

  private static final String ALL = "all";

  /** The amounts of a machine; one core by default. */
  Platform platform(String name, double benchmarkMillis) {
    return new Platform(
        "",
        "",
        "",
        name,
        whole("cores", 1, JobLimits.MAX_CORES),
        whole("gpus", 0, JobLimits.MAX_GPUS),
        bytes("memory"),
        bytes("disk"),
        benchmarkMillis,
        Map.of(),
        Set.of(),
        Map.of(),
        0,
        resources());
  }

  /** The amounts of each task. */
  Requirements needs() {
    boolean wholeMachine = ALL.equals(text("cores"));
    double cores = wholeMachine ? 0 : number("cores", 0.01, JobLimits.MAX_CORES, 0);
    double gpus = number("gpus", 0, JobLimits.MAX_GPUS, 0);
    if (gpus > 1 && gpus != Math.rint(gpus)) {
      throw wrong.apply("gpus", "only an amount below 1 can be fractional, not " + gpus);
    }
    return Requirements.of(
        new Need(
            Set.of(),
            Set.of(),
            cores == 1 ? 0 : cores,
            gpus,
            bytes("memory"),
            bytes("disk"),
            Set.of(),
            Map.of(),
            0,
            wholeMachine,
            sums(),
            false,
            Set.of()));
  }

  /** Resources that are only amounts. */
  Map<String, Double> sums() {
    Map<String, Double> sums = new HashMap<>();
    resources()
        .forEach(
            (name, resource) -> {
              if (!resource.items().isEmpty()) {
                throw wrong.apply(
                    "resources", "only a machine has named items; give an amount of " + name);
              }
              sums.put(name, resource.amount());
            });
    return sums;
  }

  private Map<String, Resource> resources() {
    Object value = values.apply("resources");
    if (value == null) {
      return Map.of();
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong.apply("resources", "expected names with amounts, got '" + value + "'");
    }
    Map<String, Resource> all = new HashMap<>();
    map.forEach((name, amount) -> all.put(name(name), resource(amount)));
    return all;
  }

  private String name(@Nullable Object key) {
    String name = String.valueOf(key);
    if (!Requirements.isResourceName(name)) {
      throw wrong.apply("resources", "'" + name + "' is not a valid resource name");
    }
    return name;
  }

  private Resource resource(@Nullable Object value) {
    try {
      return value instanceof List<?> list
          ? Amounts.items(list.stream().map(String::valueOf).toList())
          : Amounts.resource(String.valueOf(value).strip());
    } catch (IllegalArgumentException e) {
      throw wrong.apply("resources", "expected " + Amounts.RESOURCES + ", got '" + value + "'");
    }
  }

  private long bytes(String name) {
    String text = text(name);
    try {
      return text == null ? 0 : Amounts.bytes(text);
    } catch (IllegalArgumentException e) {
      throw wrong.apply(name, "expected " + Amounts.SIZES + ", got '" + text + "'");
    }
  }

  private int whole(String name, int min, int max) {
    double value = number(name, min, max, min);
    if (value != Math.rint(value)) {
      throw wrong.apply(name, "a machine must have a whole number of them, not " + value);
    }
    return (int) value;
  }

  private double number(String name, double min, int max, double missing) {
    String text = text(name);
    if (text == null) {
      return missing;
    }
    double value;
    try {
      value = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value >= min && value <= max) || !Requirements.isInHundredths(value)) {
      throw wrong.apply(
          name,
          "expected a number up to %,d in steps of 0.01, at least %s; got '%s'"
              .formatted(max, min == Math.rint(min) ? Long.toString((long) min) : min, text));
    }
    return value;
  }

  private @Nullable String text(String name) {
    Object value = values.apply(name);
    return value == null ? null : Objects.toString(value).strip();
  }
}
