package dev.imker.jobfile.draft;

import dev.imker.jobfile.findings.Finding;
import dev.imker.model.InputException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What reading a file came to.
 *
 * @param jobs those that are right; all of them if there is no error
 * @param findings all that is wrong, in the order of the file
 */
public record Reading(List<JobDraft> jobs, List<Finding> findings) {
  public Reading {
    jobs = List.copyOf(jobs);
    findings = List.copyOf(findings);
  }

  public boolean isValid() {
    return findings.stream().noneMatch(Finding::isError);
  }

  /**
   * The jobs.
   *
   * @throws InputException with all errors, one a line
   */
  public List<JobDraft> orThrow() {
    if (isValid()) {
      return jobs;
    }
    throw new InputException(
        findings.stream()
            .filter(Finding::isError)
            .map(Finding::toString)
            .collect(Collectors.joining("\n")));
  }
}
