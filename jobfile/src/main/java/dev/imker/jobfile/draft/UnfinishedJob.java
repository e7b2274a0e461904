package dev.imker.jobfile.draft;

import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;

/** A job that was ended early, with the results of its tasks so far. */
public interface UnfinishedJob {
  JobSpec spec();

  void fetchInput(InputFile input, Path target) throws IOException;

  /**
   * Downloads the results of finished tasks into a folder under their own names, except those in
   * subfolders.
   *
   * @return how many
   */
  int fetchResults(String namePrefix, Path folder) throws IOException;
}
