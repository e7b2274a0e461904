package dev.imker.model.validation;

import dev.imker.model.InputException;
import dev.imker.model.job.After;
import dev.imker.model.job.DataReference;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the dependencies of stages. */
final class PredecessorChecks {
  private final List<Stage> stages;
  private final Violations violations;
  private final Map<String, Stage> byName = new HashMap<>();

  PredecessorChecks(List<Stage> stages, Violations violations) {
    this.stages = stages;
    this.violations = violations;
    stages.forEach(stage -> byName.put(stage.name(), stage));
  }

  void check() {
    int before = violations.count();
    for (int i = 0; i < stages.size(); i++) {
      Stage stage = stages.get(i);
      for (int k = 0; k < stage.after().size(); k++) {
        check(stage, stage.after().get(k), "stages[%d].after[%d]".formatted(i, k));
      }
      for (int k = 0; k < stage.dataInputs().size(); k++) {
        After from = stage.dataInputs().get(k).from();
        if (from.any()) {
          violations.add(
              "stages[%d].dataInputs[%d].from.any".formatted(i, k),
              "Only tasks that succeeded have results.",
              "Remove 'any'.");
        }
        check(stage, from, "stages[%d].dataInputs[%d].from".formatted(i, k));
      }
    }
    checkPublished();
    if (violations.count() == before) {
      checkCircle();
    }
  }

  private void check(Stage stage, After after, String field) {
    boolean foreign = !after.tasks().isEmpty() || !after.data().isEmpty();
    if (after.stage().isEmpty() != foreign) {
      violations.add(
          field,
          "It must name a stage of this job, tasks of other jobs, or data.",
          "Name one of them.");
      return;
    }
    if (!after.data().isEmpty()) {
      checkData(after, field);
    }
    if (foreign) {
      return;
    }
    if (after.any() && after.matching() != After.Matching.ALL) {
      violations.add(
          field,
          "A dependency on any end always waits for all tasks of a stage.",
          "Remove 'match', or write it under 'after'.");
    }
    Stage other = byName.get(after.stage());
    if (other == null) {
      violations.add(
          field,
          "There is no stage '%s' in this job.".formatted(after.stage()),
          "Stages: " + String.join(", ", stages.stream().map(Stage::name).toList()) + ".");
    } else if (after.matching() == After.Matching.EACH && other.taskCount() != stage.taskCount()) {
      violations.add(
          field,
          "'match: each' needs the same number of tasks on both sides, but '%s' has %,d and '%s' has %,d."
              .formatted(stage.name(), stage.taskCount(), other.name(), other.taskCount()),
          "Use all or params.");
    } else if (after.matching() == After.Matching.PARAMS
        && StageGraph.sharedParams(other, stage).isEmpty()) {
      violations.add(
          field,
          "'match: params' needs a common parameter, but '%s' and '%s' have none."
              .formatted(stage.name(), other.name()),
          "Give both the same sweep parameter, or use all.");
    }
  }

  private void checkData(After after, String field) {
    if (after.any()) {
      violations.add(
          field,
          "Data can only be published; it has no other end to wait for.",
          "Write it under 'after'.");
    }
    checkName(after.data(), field + ".data", false);
  }

  private void checkName(String data, String field, boolean published) {
    try {
      if (DataReference.parse(data).version() != DataReference.NEWEST && published) {
        violations.add(
            field,
            "Versions of published data are whole numbers.",
            "Remove the part from the @ on.");
      }
    } catch (InputException e) {
      violations.add(field, String.valueOf(e.getMessage()), "");
    }
  }

  private void checkPublished() {
    Set<String> published = new HashSet<>();
    for (int i = 0; i < stages.size(); i++) {
      String name = stages.get(i).rules().publish();
      String field = "stages[%d].rules.publish".formatted(i);
      if (!name.isEmpty()) {
        checkName(name, field, true);
        if (!published.add(name)) {
          violations.add(
              field,
              "Two stages of this job would publish '%s'.".formatted(name),
              "Let only one stage publish it, or use different names.");
        }
      }
    }
  }

  private void checkCircle() {
    List<String> circle = StageGraph.of(stages).circle();
    if (!circle.isEmpty()) {
      int first = stages.indexOf(byName.get(circle.getFirst()));
      violations.add(
          "stages[" + first + "].after",
          "These stages depend on each other: " + String.join(" → ", circle) + ".",
          "Remove one of the dependencies.");
    }
  }
}
