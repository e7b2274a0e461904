package dev.imker.server.internal.rest.jobs;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.DataReference;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.server.http.ApiException;
import java.util.ArrayList;
import java.util.List;

/** Replaces names of other jobs in dependencies by their numbers. */
record ForeignTasks(Selections selections) {
  private static final int MAX_RANGES = 10_000;

  JobSpec resolve(JobSpec spec) {
    boolean none =
        spec.stages().stream().allMatch(s -> s.after().isEmpty() && s.dataInputs().isEmpty());
    if (none) {
      return spec;
    }
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < spec.stages().size(); i++) {
      stages.add(
          resolve(
              spec, spec.stages().get(i), spec.stages().size() == 1 ? "" : "stages[" + i + "]."));
    }
    return spec.withStages(stages);
  }

  private Stage resolve(JobSpec spec, Stage stage, String where) {
    List<After> after = new ArrayList<>();
    for (int i = 0; i < stage.after().size(); i++) {
      after.add(resolve(spec, stage.after().get(i), where + "after[" + i + "]"));
    }
    List<DataInput> inputs = new ArrayList<>();
    for (int i = 0; i < stage.dataInputs().size(); i++) {
      DataInput input = stage.dataInputs().get(i);
      After from = resolve(spec, input.from(), where + "dataInputs[" + i + "].from");
      inputs.add(new DataInput(from, input.glob(), input.into()));
    }
    return stage.withAfter(after).withDataInputs(inputs);
  }

  /** What a stage of the same job publishes comes from that; the rest when the job is added. */
  private static After data(JobSpec spec, DataReference data) {
    List<Integer> own = StageGraph.of(spec.stages()).publisher(data.name());
    return own.isEmpty() || data.version() != DataReference.NEWEST
        ? After.data(data.toString())
        : After.stage(spec.stages().get(own.getFirst()).name(), After.Matching.ALL);
  }

  private After resolve(JobSpec spec, After after, String where) {
    if (!after.data().isEmpty()) {
      return data(spec, DataReference.parse(after.data()));
    }
    if (after.tasks().isEmpty()) {
      return after;
    }
    try {
      List<TaskRange> ranges = new ArrayList<>();
      for (Selections.Part part : selections.resolve(after.tasks())) {
        ranges.add(new TaskRange(new JobId(part.job()), part.first() - 1, part.last()));
      }
      if (ranges.size() > MAX_RANGES) {
        throw new InputException("That selects more than " + MAX_RANGES + " jobs.");
      }
      After known = After.tasks(TaskRange.text(ranges));
      return after.any() ? known.orFailed() : known;
    } catch (ApiException | InputException e) {
      throw ApiException.invalid(where + ".tasks", where + ".tasks: " + e.getMessage());
    }
  }
}
