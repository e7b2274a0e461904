package dev.imker.model;

import dev.imker.model.job.TaskIdentifier;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which jobs or tasks a user refers to: a comma-separated list of parts, each one a job with an
 * optional task number or range of numbers (from one on):
 *
 * <pre>
 * 12        job 12               12.3      its third task       12.3..7   its tasks 3 to 7
 * 12..15    jobs 12 to 15        last      the newest job       last.3    its third task
 * NAME      the job of that name (the newest one)               NAME.3    its third task
 * @ID       the newest task with that identifier
 * </pre>
 */
public record Selector(List<Part> parts) {
  /** {@link Part#lastTask()} of a part that means all tasks of its jobs. */
  public static final int ALL_TASKS = Integer.MAX_VALUE;

  /** Which jobs a part refers to. */
  public sealed interface Jobs permits Ids, Last, Named {}

  /** Jobs by number, both ends included. */
  public record Ids(JobId first, JobId last) implements Jobs {}

  public record Last() implements Jobs {}

  public record Named(String name) implements Jobs {}

  /**
   * One part of the list. Task numbers count from one, both ends included; a part without task
   * numbers spans 1 to {@link #ALL_TASKS}. {@code text} is the part as typed: a job may carry a
   * name like {@code v1.2}, so a resolver tries it as a whole name first.
   */
  public record Part(String text, Jobs jobs, int firstTask, int lastTask) {
    public boolean isWholeJob() {
      return firstTask == 1 && lastTask == ALL_TASKS;
    }
  }

  private static final Pattern WITH_TASKS = Pattern.compile("(.+?)\\.(\\d+)(?:\\.\\.(\\d+))?");
  private static final Pattern JOB_RANGE = Pattern.compile("(\\d+)\\.\\.(\\d+)");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  public Selector {
    parts = List.copyOf(parts);
  }

  public static Selector parse(String text) {
    if (text.isBlank()) {
      throw new InputException(
          "Name a job: a number (12), a task (12.3), a range (12..15), a name, or 'last'.");
    }
    List<Part> parts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      parts.add(part(part.strip(), text));
    }
    return new Selector(parts);
  }

  private static Part part(String part, String whole) {
    if (part.isEmpty()) {
      throw new InputException("There is an empty part in the list '" + whole + "'.");
    }
    if (part.startsWith(TaskIdentifier.MARK)) {
      return new Part(part, new Named(part), 1, ALL_TASKS);
    }
    Matcher range = JOB_RANGE.matcher(part);
    if (range.matches()) {
      return new Part(part, jobRange(part, range), 1, ALL_TASKS);
    }
    Matcher tasks = WITH_TASKS.matcher(part);
    if (!tasks.matches()) {
      return new Part(part, jobs(part, part), 1, ALL_TASKS);
    }
    int first = taskNumber(tasks.group(2), part);
    int last = tasks.group(3) == null ? first : taskNumber(tasks.group(3), part);
    if (last < first) {
      throw new InputException("'" + part + "' runs backwards: write the smaller number first.");
    }
    return new Part(part, jobs(tasks.group(1), part), first, last);
  }

  private static Jobs jobs(String text, String part) {
    if (text.equals("last")) {
      return new Last();
    }
    if (NUMBER.matcher(text).matches()) {
      JobId id = jobId(text, part);
      return new Ids(id, id);
    }
    if (text.contains("..") || text.endsWith(".")) {
      throw new InputException(
          "'"
              + part
              + "' is neither a job nor a range: write 12..15 for jobs, 12.3..7 for tasks"
              + " of one job.");
    }
    return new Named(text);
  }

  private static Ids jobRange(String part, Matcher range) {
    JobId first = jobId(range.group(1), part);
    JobId last = jobId(range.group(2), part);
    if (last.value() < first.value()) {
      throw new InputException("'" + part + "' runs backwards: write the smaller number first.");
    }
    return new Ids(first, last);
  }

  private static JobId jobId(String digits, String part) {
    try {
      long id = Long.parseLong(digits);
      if (id > 0) {
        return new JobId(id);
      }
    } catch (NumberFormatException e) {
      // Falls through: too large is as wrong as zero.
    }
    throw new InputException(
        "'" + digits + "' in '" + part + "' is not a job number: jobs are numbered from 1.");
  }

  private static int taskNumber(String digits, String part) {
    try {
      int number = Integer.parseInt(digits);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Falls through: too large is as wrong as zero.
    }
    throw new InputException(
        "'" + digits + "' in '" + part + "' is not a task number: tasks are numbered from 1.");
  }
}
