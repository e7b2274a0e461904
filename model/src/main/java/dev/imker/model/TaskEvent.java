package dev.imker.model;

/** What can happen to a task. */
public enum TaskEvent {
  PREDECESSORS_DONE,
  PREDECESSOR_FAILED,
  ASSIGN,
  COMMIT,
  /** The attempt failed and the task may be tried again. */
  ATTEMPT_FAILED,
  FAILED_TOO_OFTEN,
  /** The attempt failed in a way that another one cannot cure. */
  FAILED_FOR_GOOD,
  LEASE_LOST,
  LOST_TOO_OFTEN,
  /** The agent gave the task back through no fault of the task. */
  GIVEN_BACK,
  BLOCK,
  /** Released or retried, with all predecessors done. */
  RELEASE,
  /** Released or retried while predecessors are still missing. */
  RELEASE_TO_WAIT,
  CANCEL
}
