package dev.imker.server.rest;

import dev.imker.model.TaskRules;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Reads how the tasks of a stage are to be treated. */
final class RulesReader {
  private static final Set<String> FIELDS =
      Set.of(
          "maxFailures",
          "maxRuntimeMillis",
          "backoffMillis",
          "redundant",
          "quorum",
          "pin",
          "trust",
          "network",
          "checkpoints",
          "checkpointMillis",
          "stdin",
          "folder",
          "gang");
  private static final int MOST_FAILURES = 100;
  private static final int MOST_COPIES = 20;
  private static final int MOST_GLOBS = 1000;
  private static final long DAY_MILLIS = 24L * 60 * 60 * 1000;
  private static final long YEAR_MILLIS = 366 * DAY_MILLIS;

  private RulesReader() {}

  /** From the object {@code rules}; in version 1 the first ones stood beside the other fields. */
  static TaskRules read(JsonFields stage) {
    TaskRules usual = TaskRules.USUAL;
    JsonFields rules = stage.has("rules") ? stage.object("rules", FIELDS) : stage;
    TaskRules limits =
        usual
            .withLimits(
                (int) rules.number("maxFailures", usual.maxFailures(), 1, MOST_FAILURES),
                rules.number("maxRuntimeMillis", usual.maxRuntimeMillis(), 0, YEAR_MILLIS))
            .withRedundant(rules.flag("redundant", usual.redundant()));
    return stage.has("rules") ? further(rules, limits) : limits;
  }

  /** What a change of limits makes of rules; a limit that is not named stays. */
  static UnaryOperator<TaskRules> change(JsonFields limits) {
    TaskRules usual = TaskRules.USUAL;
    int failures = (int) limits.number("maxFailures", usual.maxFailures(), 1, MOST_FAILURES);
    long runtime = limits.number("maxRuntimeMillis", usual.maxRuntimeMillis(), 0, YEAR_MILLIS);
    String pin = limits.text("pin", "");
    return rules ->
        rules
            .withLimits(
                limits.has("maxFailures") ? failures : rules.maxFailures(),
                limits.has("maxRuntimeMillis") ? runtime : rules.maxRuntimeMillis())
            .withPin(limits.has("pin") ? pin : rules.pin());
  }

  private static TaskRules further(JsonFields rules, TaskRules limits) {
    return new TaskRules(
        limits.maxFailures(),
        limits.maxRuntimeMillis(),
        rules.number("backoffMillis", limits.backoffMillis(), 0, DAY_MILLIS),
        limits.redundant(),
        (int) rules.number("quorum", limits.quorum(), 1, MOST_COPIES),
        rules.text("pin", limits.pin()),
        (int) rules.number("trust", limits.trust(), 0, 9),
        rules.flag("network", limits.network()),
        rules.texts("checkpoints", MOST_GLOBS),
        rules.number("checkpointMillis", limits.checkpointMillis(), 0, YEAR_MILLIS),
        rules.text("stdin", limits.stdin()),
        rules.text("folder", limits.folder()),
        rules.flag("gang", limits.gang()));
  }
}
