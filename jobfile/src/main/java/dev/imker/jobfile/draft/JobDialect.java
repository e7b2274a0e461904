package dev.imker.jobfile.draft;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Finding;
import dev.imker.model.job.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Jobs whose files have a form of their own, told by their {@code kind}. Found by {@link
 * java.util.ServiceLoader}, so that nobody who reads job files need know them.
 */
public interface JobDialect {
  /** The fields beside those of the dialect that such a file may have; they are read elsewhere. */
  Set<String> COMMON_FIELDS = Set.of("imker", "project", "priority", "on-failure", "notify", "env");

  /** Words that tell such files, as values of {@code kind}. */
  Set<String> kinds();

  /** Makes a job of a file with one document. */
  Draft read(String fileName, String text, JobFiles files);

  /**
   * Writes a report of what an unfinished job has got so far.
   *
   * @return false, and nothing is written, if it is no job of this dialect or has nothing yet
   */
  default boolean reportUnfinished(UnfinishedJob job, Path target) throws IOException {
    return false;
  }

  /** The same by whichever dialect knows the job. */
  static boolean reportUnfinishedByAny(UnfinishedJob job, Path target) throws IOException {
    for (JobDialect dialect : ServiceLoader.load(JobDialect.class)) {
      if (dialect.reportUnfinished(job, target)) {
        return true;
      }
    }
    return false;
  }

  /**
   * What a file became.
   *
   * @param name of the job, as well as it can be had; may be empty
   * @param stages none if there are errors
   * @param findings all that is wrong
   */
  record Draft(String name, List<Stage> stages, List<LocalInput> files, List<Finding> findings) {
    public Draft {
      stages = List.copyOf(stages);
      files = List.copyOf(files);
      findings = List.copyOf(findings);
    }

    public static Draft refused(Finding finding) {
      return new Draft("", List.of(), List.of(), List.of(finding));
    }
  }
}
