package dev.imker.jobfile.findings;

/**
 * A mistake in a job file.
 *
 * @param file name of the file
 * @param line from 1, like the column
 * @param field path of the field; empty if no field is concerned
 * @param message what is wrong
 * @param fix what to do; may be empty
 */
public record Finding(
    Severity severity,
    String file,
    int line,
    int column,
    String field,
    String message,
    String fix) {
  /** Whether the file can be used nevertheless. */
  public enum Severity {
    ERROR,
    WARNING
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** One line in the format of compilers: {@code job.yaml:3:7: needs.memory: ...}. */
  @Override
  public String toString() {
    return file
        + ":"
        + line
        + ":"
        + column
        + ": "
        + (isError() ? "" : "warning: ")
        + (field.isEmpty() ? "" : field + ": ")
        + message
        + (fix.isEmpty() ? "" : " " + fix);
  }
}
