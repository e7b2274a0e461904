package dev.imker.store.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobKind;
import dev.imker.model.shared.SharedKind;
import org.junit.jupiter.api.Test;

/** The numbers are in databases out there: values may be added at the end, never moved. */
class CodesTest {
  @Test
  void numbers_of_stored_values_never_change() {
    assertThat(TaskState.values())
        .startsWith(
            TaskState.WAITING,
            TaskState.READY,
            TaskState.RUNNING,
            TaskState.DONE,
            TaskState.FAILED,
            TaskState.BLOCKED,
            TaskState.AUTO_BLOCKED,
            TaskState.CANCELLED);
    assertThat(AttemptOutcome.values())
        .startsWith(
            AttemptOutcome.SUCCEEDED,
            AttemptOutcome.FAILED,
            AttemptOutcome.STOPPED,
            AttemptOutcome.GIVEN_BACK,
            AttemptOutcome.LOST);
    assertThat(JobKind.values()).startsWith(JobKind.COMMAND, JobKind.NOOP);
    assertThat(SharedKind.values())
        .startsWith(
            SharedKind.BARRIER,
            SharedKind.LOCK,
            SharedKind.ELECTION,
            SharedKind.COUNTER,
            SharedKind.CONFIG,
            SharedKind.GROUP,
            SharedKind.QUEUE,
            SharedKind.ANSWER);
    assertThat(Codes.status(JobStatus.RUNNING)).isEqualTo(0);
    assertThat(Codes.status(JobStatus.DONE)).isEqualTo(1);
    assertThat(Codes.status(JobStatus.FAILED)).isEqualTo(2);
    assertThat(Codes.status(JobStatus.CANCELLED)).isEqualTo(3);
  }

  @Test
  void statements_name_them() {
    assertThat(Codes.sql("state = {task.RUNNING} AND outcome <> {attempt.LOST} OR {job.OPEN}"))
        .isEqualTo("state = 2 AND outcome <> 4 OR 0");
    assertThat(Codes.sql("{notice.WAITING}, {notice.SENDING}, {job.DONE}")).isEqualTo("0, 1, 1");
    assertThatThrownBy(() -> Codes.sql("{task.GONE}")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Codes.sql("{user.ADMIN}"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void every_value_comes_back_from_its_number() {
    for (TaskState state : TaskState.values()) {
      assertThat(Codes.state(state.ordinal())).isEqualTo(state);
    }
    for (AttemptOutcome outcome : AttemptOutcome.values()) {
      assertThat(Codes.outcome(outcome.ordinal())).isEqualTo(outcome);
    }
    for (JobKind kind : JobKind.values()) {
      assertThat(Codes.kind(kind.ordinal())).isEqualTo(kind);
    }
  }
}
