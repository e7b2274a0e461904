package dev.imker.core;

import dev.imker.model.TaskEvent;
import dev.imker.model.TaskState;
import org.jspecify.annotations.Nullable;

/** What can be ordered for a range of tasks. */
enum Order {
  CANCEL("cancelled"),
  BLOCK("blocked"),
  RELEASE("released"),
  PREDECESSORS_DONE("its predecessors are done"),
  PREDECESSORS_FAILED("a predecessor failed");

  private final String reason;

  Order(String reason) {
    this.reason = reason;
  }

  String reason() {
    return reason;
  }

  /** Whether failures and losses are forgotten. */
  boolean forgives() {
    return this == RELEASE;
  }

  /** The event for one task; null if the order does not concern it. */
  @Nullable TaskEvent event(TaskArray job, int index) {
    return switch (this) {
      case CANCEL -> TaskEvent.CANCEL;
      case BLOCK -> TaskEvent.BLOCK;
      case RELEASE -> isWaiting(job, index) ? TaskEvent.RELEASE_TO_WAIT : TaskEvent.RELEASE;
      case PREDECESSORS_DONE ->
          job.state(index) == TaskState.WAITING ? TaskEvent.PREDECESSORS_DONE : null;
      case PREDECESSORS_FAILED -> isWaiting(job, index) ? TaskEvent.PREDECESSOR_FAILED : null;
    };
  }

  private static boolean isWaiting(TaskArray job, int index) {
    return job.unmet().get(index);
  }
}
