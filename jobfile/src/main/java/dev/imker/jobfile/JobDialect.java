package dev.imker.jobfile;

import dev.imker.model.Stage;
import java.util.List;
import java.util.Set;

/**
 * Jobs whose files have a form of their own, told by their {@code kind}. Found by {@link
 * java.util.ServiceLoader}, so that nobody who reads job files need know them.
 */
public interface JobDialect {
  /** The fields beside those of the dialect that such a file may have; they are read elsewhere. */
  Set<String> COMMON_FIELDS = Set.of("imker", "project", "priority", "on-failure", "notify");

  /** Words that tell such files, as values of {@code kind}. */
  Set<String> kinds();

  /** Makes a job of a file with one document. */
  Draft read(String fileName, String text, JobFiles files);

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
