package dev.imker.model;

import static dev.imker.model.TaskState.AUTO_BLOCKED;
import static dev.imker.model.TaskState.BLOCKED;
import static dev.imker.model.TaskState.CANCELLED;
import static dev.imker.model.TaskState.DONE;
import static dev.imker.model.TaskState.FAILED;
import static dev.imker.model.TaskState.READY;
import static dev.imker.model.TaskState.RUNNING;
import static dev.imker.model.TaskState.WAITING;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The life cycle of a task as data: exactly the listed steps are allowed. */
public final class TaskLifeCycle {
  /** One allowed step. */
  public record Transition(TaskState from, TaskEvent event, TaskState to) {}

  public static final List<Transition> TRANSITIONS =
      List.of(
          new Transition(WAITING, TaskEvent.PREDECESSORS_DONE, READY),
          new Transition(WAITING, TaskEvent.PREDECESSOR_FAILED, FAILED),
          new Transition(WAITING, TaskEvent.PAUSE_OVER, READY),
          new Transition(WAITING, TaskEvent.BLOCK, BLOCKED),
          new Transition(WAITING, TaskEvent.CANCEL, CANCELLED),
          new Transition(READY, TaskEvent.ASSIGN, RUNNING),
          new Transition(READY, TaskEvent.BLOCK, BLOCKED),
          new Transition(READY, TaskEvent.CANCEL, CANCELLED),
          new Transition(READY, TaskEvent.RESTART_TO_WAIT, WAITING),
          new Transition(RUNNING, TaskEvent.COMMIT, DONE),
          new Transition(RUNNING, TaskEvent.ATTEMPT_FAILED, READY),
          new Transition(RUNNING, TaskEvent.PAUSE, WAITING),
          new Transition(RUNNING, TaskEvent.VOTE, READY),
          new Transition(RUNNING, TaskEvent.FAILED_TOO_OFTEN, AUTO_BLOCKED),
          new Transition(RUNNING, TaskEvent.FAILED_FOR_GOOD, FAILED),
          new Transition(RUNNING, TaskEvent.LEASE_LOST, READY),
          new Transition(RUNNING, TaskEvent.LOST_TOO_OFTEN, AUTO_BLOCKED),
          new Transition(RUNNING, TaskEvent.GIVEN_BACK, READY),
          new Transition(RUNNING, TaskEvent.BLOCK, BLOCKED),
          new Transition(RUNNING, TaskEvent.CANCEL, CANCELLED),
          new Transition(RUNNING, TaskEvent.RESTART, READY),
          new Transition(RUNNING, TaskEvent.RESTART_TO_WAIT, WAITING),
          new Transition(RUNNING, TaskEvent.UNDONE, CANCELLED),
          new Transition(DONE, TaskEvent.RESTART, READY),
          new Transition(DONE, TaskEvent.RESTART_TO_WAIT, WAITING),
          new Transition(DONE, TaskEvent.UNDO, READY),
          new Transition(BLOCKED, TaskEvent.RELEASE, READY),
          new Transition(BLOCKED, TaskEvent.RELEASE_TO_WAIT, WAITING),
          new Transition(BLOCKED, TaskEvent.PREDECESSOR_FAILED, FAILED),
          new Transition(BLOCKED, TaskEvent.CANCEL, CANCELLED),
          new Transition(AUTO_BLOCKED, TaskEvent.RELEASE, READY),
          new Transition(AUTO_BLOCKED, TaskEvent.CANCEL, CANCELLED),
          new Transition(AUTO_BLOCKED, TaskEvent.RESTART, READY),
          new Transition(AUTO_BLOCKED, TaskEvent.RESTART_TO_WAIT, WAITING),
          new Transition(FAILED, TaskEvent.RELEASE, READY),
          new Transition(FAILED, TaskEvent.RELEASE_TO_WAIT, WAITING),
          new Transition(FAILED, TaskEvent.RESTART, READY),
          new Transition(FAILED, TaskEvent.RESTART_TO_WAIT, WAITING),
          new Transition(CANCELLED, TaskEvent.RELEASE, READY),
          new Transition(CANCELLED, TaskEvent.RELEASE_TO_WAIT, WAITING),
          new Transition(CANCELLED, TaskEvent.RESTART, READY),
          new Transition(CANCELLED, TaskEvent.RESTART_TO_WAIT, WAITING));

  private static final int EVENTS = TaskEvent.values().length;
  private static final @Nullable TaskState[] NEXT = table();

  private TaskLifeCycle() {}

  /** The state that follows, or null where the event is not allowed in this state. */
  public static @Nullable TaskState next(TaskState from, TaskEvent event) {
    return NEXT[from.ordinal() * EVENTS + event.ordinal()];
  }

  /** What can happen in a state, in the order of the table. */
  public static List<TaskEvent> eventsIn(TaskState state) {
    List<TaskEvent> events = new ArrayList<>();
    for (Transition t : TRANSITIONS) {
      if (t.from() == state) {
        events.add(t.event());
      }
    }
    return events;
  }

  private static @Nullable TaskState[] table() {
    @Nullable TaskState[] next = new TaskState[TaskState.values().length * EVENTS];
    for (Transition t : TRANSITIONS) {
      int cell = t.from().ordinal() * EVENTS + t.event().ordinal();
      if (next[cell] != null) {
        throw new IllegalStateException("listed twice: " + t.from() + " " + t.event());
      }
      next[cell] = t.to();
    }
    return next;
  }
}
