package dev.imker.core.internal.jobs;

import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.model.TaskEvent;

/** The orders for a range of tasks. */
public enum Order {
  CANCEL("cancelled"),
  BLOCK("blocked"),
  RELEASE("released"),
  /** Cancels because another task of the job failed. */
  ABORT("another task of the job failed");

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

  TaskEvent event(TaskArray job, int index) {
    return switch (this) {
      case CANCEL, ABORT -> TaskEvent.CANCEL;
      case BLOCK -> TaskEvent.BLOCK;
      case RELEASE -> job.isUnmet(index) ? TaskEvent.RELEASE_TO_WAIT : TaskEvent.RELEASE;
    };
  }
}
