package dev.imker.model.validation;

/**
 * A reason why a job cannot be accepted.
 *
 * @param field path of the field in a {@link dev.imker.model.job.JobSpec}: {@code
 *     stages[0].rules.folder}
 * @param message what is wrong
 * @param cure how to fix it; may be empty
 */
public record Violation(String field, String message, String cure) {
  /** Without the name of the field. */
  public String text() {
    return cure.isEmpty() ? message : message + " " + cure;
  }
}
