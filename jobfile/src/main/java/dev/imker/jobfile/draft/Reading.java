package dev.imker.jobfile.draft;

import dev.imker.jobfile.findings.Finding;
import dev.imker.model.InputException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The result of reading a file.
 *
 * @param jobs the valid jobs; all of them if there is no error
 * @param findings all mistakes, in the order of the file
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
   * @throws InputException with all errors, one per line
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
