package dev.imker.jobfile.draft;

import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A job read from a file, before its input files are in the pool.
 *
 * @param spec the job without these files; its name may be empty, then the server chooses one
 * @param files files to send
 * @param origin its position in the file
 */
public record JobDraft(JobSpec spec, List<LocalInput> files, JobOrigin origin) {
  public JobDraft {
    files = List.copyOf(files);
  }

  /**
   * The job with all of its files.
   *
   * @param sent maps a file to its id in the pool
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
