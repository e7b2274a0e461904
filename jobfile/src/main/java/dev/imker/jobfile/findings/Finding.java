package dev.imker.jobfile.findings;

/**
 * Something that is wrong in a job file.
 *
 * @param file name of the file
 * @param line counted from one, as the column
 * @param field the field as a path; empty where no field is meant
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
  /** Whether the file can be used all the same. */
  public enum Severity {
    ERROR,
    WARNING
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** One line as compilers print it: {@code job.yaml:3:7: needs.memory: ...}. */
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
