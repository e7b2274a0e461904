package dev.imker.charts.spec;

import dev.imker.charts.ChartException;

/** A mistake in the file of an analysis; tells file, line, column, field and remedy. */
public final class SpecException extends ChartException {
  private static final long serialVersionUID = 1;

  private final String file;
  private final int line;
  private final int column;
  private final String field;
  private final String problem;

  SpecException(String file, int line, int column, String field, String problem) {
    super(
        "%s, line %d, column %d%s: %s"
            .formatted(file, line, column, field.isEmpty() ? "" : ", " + field, problem));
    this.file = file;
    this.line = line;
    this.column = column;
    this.field = field;
    this.problem = problem;
  }

  /** This mistake, and the texts of others behind it. */
  SpecException and(String others) {
    return new SpecException(file, line, column, field, problem + "\n" + others);
  }

  /** The field as a path; may be empty. */
  public String field() {
    return field;
  }

  /** What is wrong and what to do, without the place. */
  public String problem() {
    return problem;
  }

  /** Counted from 1. */
  public int line() {
    return line;
  }

  /** Counted from 1. */
  public int column() {
    return column;
  }
}
