package dev.imker.jobfile.draft;

import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import java.io.IOException;
import java.nio.file.Path;

/** A job that was ended before its time, with what its tasks have left so far. */
public interface UnfinishedJob {
  JobSpec spec();

  void fetchInput(InputFile input, Path target) throws IOException;

  /**
   * Fetches the results of tasks that are done into a folder, under their own names; those of a
   * folder of theirs are left out.
   *
   * @return how many
   */
  int fetchResults(String namePrefix, Path folder) throws IOException;
}
