package dev.imker.jobfile;

import dev.imker.model.After;
import dev.imker.model.DataInput;
import dev.imker.model.JobSpec;
import dev.imker.model.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What can be wrong between the stages of a job. */
final class StageChecks {
  private final Map<String, Stage> byName = new HashMap<>();
  private final Findings findings;

  private StageChecks(Findings findings) {
    this.findings = findings;
  }

  static void check(List<Stage> stages, List<StageSource> sources, Spot job, Findings findings) {
    StageChecks checks = new StageChecks(findings);
    stages.forEach(stage -> checks.byName.put(stage.name(), stage));
    long tasks = 0;
    for (int i = 0; i < stages.size(); i++) {
      tasks += stages.get(i).taskCount();
      checks.matchings(stages.get(i), sources.get(i));
    }
    if (tasks > JobSpec.MAX_TASKS) {
      findings.error(
          job,
          "The job has more than %,d tasks.".formatted(JobSpec.MAX_TASKS),
          "Split it into several.");
    }
    List<String> cycle = StageGraph.of(stages).cycle();
    if (!cycle.isEmpty()) {
      int first = stages.indexOf(checks.byName.get(cycle.getFirst()));
      findings.error(
          sources.get(first).own().spot(),
          "These stages wait for each other: " + String.join(" → ", cycle) + ".",
          "Take one of the predecessors away.");
    }
  }

  private void matchings(Stage stage, StageSource source) {
    List<After> all = new ArrayList<>(stage.after());
    stage.dataInputs().stream().map(DataInput::from).forEach(all::add);
    for (After after : all) {
      Stage other = byName.get(after.stage());
      if (other == null) {
        continue;
      }
      Spot spot = source.own().spot();
      if (after.matching() == After.Matching.EACH && other.taskCount() != stage.taskCount()) {
        findings.error(
            spot,
            "match: each needs as many tasks on both sides, but '%s' has %,d and '%s' has %,d."
                .formatted(stage.name(), stage.taskCount(), other.name(), other.taskCount()),
            "Use match: all or match: params.");
      }
      if (after.matching() == After.Matching.PARAMS
          && stage.paramNames().stream().noneMatch(other.paramNames()::contains)) {
        findings.error(
            spot,
            "match: params, but '%s' and '%s' have no parameter in common."
                .formatted(stage.name(), other.name()),
            "Give both the same sweep parameter, or use match: all.");
      }
    }
  }
}
