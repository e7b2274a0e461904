package dev.imker.store.internal.rows;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.account.Notice;
import dev.imker.model.change.JobChanged;
import dev.imker.model.job.JobKind;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Numbers that stand for enum values in the database; a test keeps them from changing. Statements
 * name them: {@code {task.RUNNING}}, {@code {attempt.LOST}}, {@code {notice.WAITING}}, {@code
 * {job.OPEN}}.
 */
public final class Codes {
  private static final Pattern NAME = Pattern.compile("\\{([a-z]+)\\.([A-Z_]+)}");
  private static final int OPEN_JOB = 0;
  private static final List<TaskState> STATES = List.of(TaskState.values());
  private static final List<AttemptOutcome> OUTCOMES = List.of(AttemptOutcome.values());
  private static final List<JobKind> KINDS = List.of(JobKind.values());

  private Codes() {}

  /** A statement with numbers in the place of their names. */
  public static String sql(String named) {
    return NAME.matcher(named)
        .replaceAll(name -> Integer.toString(code(name.group(1), name.group(2))));
  }

  private static int code(String kind, String name) {
    return switch (kind) {
      case "task" -> TaskState.valueOf(name).ordinal();
      case "attempt" -> AttemptOutcome.valueOf(name).ordinal();
      case "notice" -> Notice.State.valueOf(name).ordinal();
      case "job" -> name.equals("OPEN") ? OPEN_JOB : status(JobStatus.valueOf(name));
      default -> throw new IllegalArgumentException("nothing is called " + kind + "." + name);
    };
  }

  public static TaskState state(int code) {
    return STATES.get(code);
  }

  static AttemptOutcome outcome(int code) {
    return OUTCOMES.get(code);
  }

  static JobKind kind(int code) {
    return KINDS.get(code);
  }

  public static int status(JobStatus status) {
    return switch (status) {
      case WAITING, QUEUED, RUNNING, BLOCKED -> OPEN_JOB;
      case DONE -> 1;
      case FAILED -> 2;
      case CANCELLED -> 3;
    };
  }

  public static int status(JobChanged change) {
    return change.settledMillis() == JobChanged.OPEN
        ? OPEN_JOB
        : status(JobStatus.of(change.countsByState()));
  }
}
