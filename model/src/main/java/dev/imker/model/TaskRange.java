package dev.imker.model;

import java.util.ArrayList;
import java.util.List;

/** Adjacent tasks of a job; an end beyond the job's last task means up to that one. */
public record TaskRange(JobId job, int from, int toExclusive) {
  /** The maximum number of jobs named at once. */
  private static final int MAX_JOBS = 100_000;

  public TaskRange {
    if (from < 0 || toExclusive <= from) {
      throw new IllegalArgumentException("tasks " + from + " to " + toExclusive + " of " + job);
    }
  }

  /** How many tasks the range has in common with the tasks from..to of the same job. */
  public int overlap(int otherFrom, int otherToExclusive) {
    return Math.max(0, Math.min(toExclusive, otherToExclusive) - Math.max(from, otherFrom));
  }

  /**
   * Reads what {@link #text} writes: a {@link Selector} that names all jobs by number.
   *
   * @throws InputException if it names one otherwise
   */
  public static List<TaskRange> parse(String selector) {
    List<TaskRange> ranges = new ArrayList<>();
    for (Selector.Part part : Selector.parse(selector).parts()) {
      if (!(part.jobs() instanceof Selector.Ids ids)) {
        throw new InputException("'" + part.text() + "' is not the number of a job or task.");
      }
      long first = ids.first().value();
      long more = ids.last().value() - first;
      if (more >= MAX_JOBS - ranges.size()) {
        throw new InputException(
            "'%s' selects too many jobs; at most %,d are allowed at once."
                .formatted(part.text(), MAX_JOBS));
      }
      for (long i = 0; i <= more; i++) {
        JobId job = new JobId(first + i);
        ranges.add(new TaskRange(job, part.firstTask() - 1, part.lastTask()));
      }
    }
    return ranges;
  }

  public static String text(List<TaskRange> ranges) {
    StringBuilder text = new StringBuilder();
    for (TaskRange range : ranges) {
      text.append(text.isEmpty() ? "" : ",").append(range.job);
      if (range.from > 0 || range.toExclusive != Selector.ALL_TASKS) {
        text.append('.').append(range.from + 1L);
        if (range.toExclusive - range.from > 1) {
          text.append("..").append(range.toExclusive);
        }
      }
    }
    return text.toString();
  }
}
