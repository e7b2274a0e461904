package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskLifeCycleTest {
  @Test
  void every_listed_step_is_taken_and_no_other() {
    int allowed = 0;
    for (TaskState state : TaskState.values()) {
      for (TaskEvent event : TaskEvent.values()) {
        TaskState next = TaskLifeCycle.next(state, event);
        if (next != null) {
          allowed++;
          assertThat(TaskLifeCycle.TRANSITIONS)
              .contains(new TaskLifeCycle.Transition(state, event, next));
        }
      }
    }
    assertThat(allowed).isEqualTo(TaskLifeCycle.TRANSITIONS.size());
  }

  @Test
  void done_is_for_ever_unless_the_job_as_a_whole_is_restarted_or_rolled_back() {
    assertThat(TaskLifeCycle.eventsIn(TaskState.DONE))
        .containsExactlyInAnyOrder(TaskEvent.RESTART, TaskEvent.RESTART_TO_WAIT, TaskEvent.UNDO);
  }

  @Test
  void every_state_but_done_can_be_cancelled_or_released() {
    for (TaskState state : EnumSet.complementOf(EnumSet.of(TaskState.DONE))) {
      assertThat(TaskLifeCycle.eventsIn(state))
          .as("events in %s", state)
          .containsAnyOf(TaskEvent.CANCEL, TaskEvent.RELEASE);
    }
  }

  @Test
  void every_state_can_be_reached() {
    Set<TaskState> reached = EnumSet.of(TaskState.READY);
    for (int round = 0; round < TaskState.values().length; round++) {
      for (TaskLifeCycle.Transition step : TaskLifeCycle.TRANSITIONS) {
        if (reached.contains(step.from())) {
          reached.add(step.to());
        }
      }
    }
    assertThat(reached).containsAll(EnumSet.complementOf(EnumSet.of(TaskState.WAITING)));
  }
}
