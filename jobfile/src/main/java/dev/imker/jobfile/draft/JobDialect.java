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
 * Jobs whose files have a format of their own, recognised by their {@code kind}. Found with {@link
 * java.util.ServiceLoader}, so readers of job files need not know them.
 */
public interface JobDialect {
  /** General fields that such a file may have in addition; they are read elsewhere. */
  Set<String> COMMON_FIELDS = Set.of("imker", "project", "priority", "on-failure", "notify", "env");

  /** The values of {@code kind} in such files. */
  Set<String> kinds();

  /** Creates a job from a file with one document. */
  Draft read(String fileName, String text, JobFiles files);

  /**
   * Writes a report of the results of an unfinished job.
   *
   * @return false, without writing anything, if the job is not of this dialect or has no results
   *     yet
   */
  default boolean reportUnfinished(UnfinishedJob job, Path target) throws IOException {
    return false;
  }

  /** The same with the dialect that recognises the job. */
  static boolean reportUnfinishedByAny(UnfinishedJob job, Path target) throws IOException {
    for (JobDialect dialect : ServiceLoader.load(JobDialect.class)) {
      if (dialect.reportUnfinished(job, target)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The result of reading a file.
   *
   * @param name of the job if it can be determined; may be empty
   * @param stages none if there are errors
   * @param findings all mistakes
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
