package dev.imker.store.internal.rows;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.change.JobChanged;
import dev.imker.model.job.JobKind;
import java.util.List;

/** Numbers that stand for enum values in the database; a test keeps them from changing. */
public final class Codes {
  public static final int OPEN_JOB = 0;
  private static final List<TaskState> STATES = List.of(TaskState.values());
  private static final List<AttemptOutcome> OUTCOMES = List.of(AttemptOutcome.values());
  private static final List<JobKind> KINDS = List.of(JobKind.values());

  private Codes() {}

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
