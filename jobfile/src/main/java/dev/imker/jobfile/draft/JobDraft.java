package dev.imker.jobfile.draft;

import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A job that was read from a file, before the files it needs are in the pool.
 *
 * @param spec the job without these files; its name may be empty, the server finds one then
 * @param files what must be sent
 * @param origin where it was read
 */
public record JobDraft(JobSpec spec, List<LocalInput> files, JobOrigin origin) {
  public JobDraft {
    files = List.copyOf(files);
  }

  /**
   * The job with all of its files.
   *
   * @param sent what a file has become in the pool
   */
  public JobSpec complete(Function<LocalInput, InputFile> sent) {
    if (files.isEmpty()) {
      return spec;
    }
    List<List<InputFile>> inputs = new ArrayList<>();
    spec.stages().forEach(stage -> inputs.add(new ArrayList<>(stage.inputs())));
    files.forEach(file -> inputs.get(file.stage()).add(sent.apply(file)));
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Stage stage = spec.stages().get(i);
      stages.add(stage.withFiles(inputs.get(i), stage.outputs()));
    }
    return new JobSpec(
        spec.version(),
        spec.name(),
        spec.project(),
        spec.kind(),
        spec.priority(),
        stages,
        spec.onFailure(),
        spec.notices());
  }
}
