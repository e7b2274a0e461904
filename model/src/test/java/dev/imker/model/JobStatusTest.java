package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobStatusTest {
  @Test
  void settled_job_is_done_only_if_every_task_is_done() {
    assertThat(status(Map.of(TaskState.DONE, 3))).isEqualTo(JobStatus.DONE);
    assertThat(status(Map.of(TaskState.DONE, 2, TaskState.CANCELLED, 1)))
        .isEqualTo(JobStatus.CANCELLED);
    assertThat(status(Map.of(TaskState.DONE, 2, TaskState.AUTO_BLOCKED, 1)))
        .isEqualTo(JobStatus.FAILED);
  }

  @Test
  void failure_outweighs_cancellation() {
    assertThat(status(Map.of(TaskState.FAILED, 1, TaskState.CANCELLED, 1)))
        .isEqualTo(JobStatus.FAILED);
  }

  @Test
  void open_job_is_running_once_something_happened() {
    assertThat(status(Map.of(TaskState.READY, 3))).isEqualTo(JobStatus.QUEUED);
    assertThat(status(Map.of(TaskState.READY, 2, TaskState.RUNNING, 1)))
        .isEqualTo(JobStatus.RUNNING);
    assertThat(status(Map.of(TaskState.READY, 2, TaskState.DONE, 1))).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void job_without_startable_task_waits() {
    assertThat(status(Map.of(TaskState.WAITING, 3))).isEqualTo(JobStatus.WAITING);
    assertThat(status(Map.of(TaskState.WAITING, 2, TaskState.BLOCKED, 1)))
        .isEqualTo(JobStatus.WAITING);
  }

  @Test
  void job_whose_open_tasks_are_all_held_back_is_blocked() {
    assertThat(status(Map.of(TaskState.BLOCKED, 3))).isEqualTo(JobStatus.BLOCKED);
    assertThat(status(Map.of(TaskState.BLOCKED, 3, TaskState.DONE, 7)))
        .isEqualTo(JobStatus.BLOCKED);
    assertThat(JobStatus.OPEN).allMatch(status -> !status.isSettled());
  }

  private static JobStatus status(Map<TaskState, Integer> counts) {
    int[] byState = new int[TaskState.values().length];
    new EnumMap<>(counts).forEach((state, count) -> byState[state.ordinal()] = count);
    return JobStatus.of(byState);
  }
}
