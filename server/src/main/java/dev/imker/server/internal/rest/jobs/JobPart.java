package dev.imker.server.internal.rest.jobs;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import dev.imker.server.http.ApiException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Creates a job from some tasks of another one, to run them again with different needs or
 * parameters.
 */
final class JobPart {
  private static final String TOGETHER = "zip1";

  private JobPart() {}

  /**
   * @param select tasks of the job
   */
  static JobSpec of(JobId job, JobSpec spec, String select) {
    BitSet chosen = chosen(job, select);
    StageIndex stages = StageIndex.of(spec);
    if (chosen.length() > stages.taskCount()) {
      throw ApiException.invalid(
          "select", "Job %s has only %d tasks.".formatted(job, stages.taskCount()));
    }
    List<Stage> all = new ArrayList<>();
    for (int i = 0; i < spec.stages().size(); i++) {
      BitSet own = chosen.get(stages.firstOf(i), stages.endOf(i));
      if (!own.isEmpty()) {
        all.add(part(spec.stages().get(i), stages, stages.firstOf(i), own));
      }
    }
    Set<String> kept = all.stream().map(Stage::name).collect(Collectors.toSet());
    return spec.withStages(
        all.stream()
            .map(
                stage ->
                    stage.withAfter(
                        stage.after().stream()
                            .filter(a -> a.stage().isEmpty() || kept.contains(a.stage()))
                            .toList()))
            .toList());
  }

  private static BitSet chosen(JobId job, String select) {
    BitSet chosen = new BitSet();
    try {
      for (TaskRange range : TaskRange.parse(select)) {
        if (!range.job().equals(job)) {
          throw ApiException.invalid("select", "Name tasks of job %s only.".formatted(job));
        }
        if (range.toExclusive() > JobSpec.MAX_TASKS) {
          throw ApiException.invalid(
              "select", "Name single tasks, such as %s.3..7.".formatted(job));
        }
        chosen.set(range.from(), range.toExclusive());
      }
    } catch (InputException e) {
      throw ApiException.invalid("select", String.valueOf(e.getMessage()));
    }
    return chosen;
  }

  private static Stage part(Stage stage, StageIndex stages, int first, BitSet own) {
    if (!stage.dataInputs().isEmpty()) {
      throw ApiException.invalid(
          "select",
          "%s uses results of other tasks of its job; retry its tasks there."
              .formatted(stage.name().isEmpty() ? "This job" : "Stage '" + stage.name() + "'"));
    }
    if (own.cardinality() == stage.taskCount()) {
      return stage;
    }
    List<List<String>> tasks = own.stream().mapToObj(i -> stages.params(first + i)).toList();
    List<SweepAxis> axes = new ArrayList<>();
    for (int i = 0; i < stage.sweep().size(); i++) {
      int place = i;
      SweepAxis axis =
          SweepAxis.of(
              stage.sweep().get(i).name(), tasks.stream().map(task -> task.get(place)).toList());
      axes.add(stage.sweep().size() > 1 ? axis.zippedAs(TOGETHER) : axis);
    }
    return stage.withSweep(axes);
  }

  /** The same with so much memory for each task, whatever it asked for. */
  static JobSpec withMemory(JobSpec spec, long bytes) {
    return spec.withStages(
        spec.stages().stream().map(stage -> stage.withNeeds(more(stage.needs(), bytes))).toList());
  }

  private static Requirements more(Requirements needs, long bytes) {
    return needs.alternatives().isEmpty()
        ? Requirements.of(Requirements.Need.NOTHING.withMemory(bytes))
        : new Requirements(
            needs.alternatives().stream().map(need -> need.withMemory(bytes)).toList());
  }
}
