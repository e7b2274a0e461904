package dev.imker.model.validation;

import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SweepAxis;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the parameters of a stage. */
final class SweepValidator {
  /** Names that always have a value and cannot be parameters. */
  static final Set<String> RESERVED = Set.of("task", "job");

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

  private final List<SweepAxis> sweep;
  private final String where;
  private final Violations violations;
  private boolean countable = true;

  SweepValidator(List<SweepAxis> sweep, String where, Violations violations) {
    this.sweep = sweep;
    this.where = where;
    this.violations = violations;
  }

  boolean isCountable() {
    return countable;
  }

  void check() {
    violations.count(where, sweep.size(), JobLimits.MAX_AXES);
    Set<String> names = new HashSet<>();
    Map<String, Long> zipped = new HashMap<>();
    long tasks = 1;
    for (int i = 0; i < sweep.size(); i++) {
      SweepAxis axis = sweep.get(i);
      String field = where + "[" + i + "]";
      checkName(axis.name(), field + ".name", names);
      if (!checkValues(axis, field)) {
        countable = false;
        continue;
      }
      Long size = axis.zip().isEmpty() ? null : zipped.putIfAbsent(axis.zip(), axis.size());
      if (size == null) {
        tasks = Math.min(tasks * axis.size(), JobSpec.MAX_TASKS + 1L);
      } else if (size != axis.size()) {
        countable = false;
        violations.add(
            field,
            "%s has %,d values, but what it is zipped with has %,d."
                .formatted(axis.name(), axis.size(), size),
            "Zipped parameters must have the same number of values.");
      }
    }
    if (tasks > JobSpec.MAX_TASKS) {
      countable = false;
      violations.add(
          where,
          "The sweep creates more than %,d tasks.".formatted(JobSpec.MAX_TASKS),
          "Split it into several jobs.");
    }
  }

  private void checkName(String name, String field, Set<String> names) {
    if (!NAME.matcher(name).matches()) {
      violations.add(
          field,
          "'%s' is not a valid parameter name.".formatted(name),
          "Use letters, digits and _, starting with a letter or _.");
    } else if (RESERVED.contains(name)) {
      violations.add(field, "${" + name + "} already has a meaning.", "Choose another name.");
    } else if (!names.add(name)) {
      violations.add(field, "The parameter '%s' appears twice.".formatted(name), "Rename one.");
    }
  }

  private boolean checkValues(SweepAxis axis, String field) {
    List<String> values = axis.values();
    if (values != null) {
      violations.count(field + ".values", values.size(), JobLimits.MAX_VALUES);
      if (values.isEmpty()) {
        violations.add(field + ".values", "The parameter has no values.", "Give at least one.");
      }
      if (values.stream().anyMatch(value -> value.indexOf('\0') >= 0)) {
        violations.add(field + ".values", "A value contains a NUL character.", "Remove it.");
      }
      return !values.isEmpty();
    }
    SweepAxis.Range range = axis.range();
    return range == null || checkRange(range, field + ".range");
  }

  private boolean checkRange(SweepAxis.Range range, String field) {
    long most = JobLimits.MAX_NUMBER;
    boolean inside = violations.range(field + ".from", range.from(), -most, most);
    inside &= violations.range(field + ".to", range.to(), -most, most);
    inside &= violations.range(field + ".step", range.step(), 1, most);
    inside &= violations.range(field + ".width", range.width(), 0, JobLimits.MAX_WIDTH);
    if (inside && range.size() > JobSpec.MAX_TASKS) {
      violations.add(
          field,
          "The range has more than %,d values.".formatted(JobSpec.MAX_TASKS),
          "Split it into several jobs.");
      return false;
    }
    return inside;
  }
}
