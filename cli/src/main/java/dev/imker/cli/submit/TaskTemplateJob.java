package dev.imker.cli.submit;

import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a job of its own from one task of a job: its parameters have one value each, and what it
 * waited for inside of its job becomes tasks of that job.
 */
record TaskTemplateJob(long id, JobSpec job) {
  JobSpec of(int index) {
    int number = job.stageNumberOf(index);
    Stage stage = job.stages().get(number);
    int inStage = index - job.firstOf(number);
    List<String> values = stage.params(inStage);
    List<SweepAxis> sweep = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      sweep.add(SweepAxis.of(stage.sweep().get(i).name(), List.of(values.get(i))));
    }
    Stage alone =
        new Stage(
            "",
            stage.command(),
            stage.payload(),
            sweep,
            stage.env(),
            stage.inputs().stream()
                .filter(input -> input.isFor(stage.paramNames(), values))
                .toList(),
            dataInputs(stage, inStage),
            stage.outputs(),
            stage.needs(),
            stage.rules(),
            after(stage, inStage));
    return new JobSpec(
        job.version(),
        job.name(),
        job.project(),
        job.kind(),
        job.priority(),
        List.of(alone),
        job.onFailure(),
        job.notices());
  }

  private List<After> after(Stage stage, int inStage) {
    List<After> all = new ArrayList<>();
    stage.after().forEach(after -> outside(after, stage, inStage).ifPresent(all::add));
    return all;
  }

  private List<DataInput> dataInputs(Stage stage, int inStage) {
    List<DataInput> all = new ArrayList<>();
    for (DataInput data : stage.dataInputs()) {
      outside(data.from(), stage, inStage)
          .ifPresent(after -> all.add(new DataInput(after, data.glob(), data.into())));
    }
    return all;
  }

  /** The same predecessors, named from outside of the job. */
  private Optional<After> outside(After after, Stage stage, int inStage) {
    if (after.stage().isEmpty()) {
      return Optional.of(after);
    }
    for (int i = 0; i < job.stages().size(); i++) {
      Stage other = job.stages().get(i);
      if (other.name().equals(after.stage())) {
        int first = job.firstOf(i) + 1;
        return switch (after.matching()) {
          case ALL ->
              Optional.of(After.tasks(id + "." + first + ".." + (first + other.taskCount() - 1)));
          case EACH -> Optional.of(After.tasks(id + "." + (first + inStage)));
          case PARAMS -> alike(other, first, stage, stage.params(inStage));
        };
      }
    }
    return Optional.empty();
  }

  private Optional<After> alike(Stage other, int first, Stage stage, List<String> values) {
    List<String> tasks = new ArrayList<>();
    for (int i = 0; i < other.taskCount(); i++) {
      List<String> theirs = other.params(i);
      boolean same = true;
      for (int p = 0; p < theirs.size(); p++) {
        int mine = stage.paramNames().indexOf(other.paramNames().get(p));
        same &= mine < 0 || values.get(mine).equals(theirs.get(p));
      }
      if (same) {
        tasks.add(id + "." + (first + i));
      }
    }
    return tasks.isEmpty() ? Optional.empty() : Optional.of(After.tasks(String.join(",", tasks)));
  }
}
