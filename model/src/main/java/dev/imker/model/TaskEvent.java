package dev.imker.model;

/** What can happen to a task. */
public enum TaskEvent {
  PREDECESSORS_DONE,
  PREDECESSOR_FAILED,
  ASSIGN,
  COMMIT,
  /** The attempt failed and the task may be tried again. */
  ATTEMPT_FAILED,
  /** The attempt failed, and the task may be tried again after a pause. */
  PAUSE,
  PAUSE_OVER,
  /** The attempt succeeded; it counts only after others have returned the same results. */
  VOTE,
  FAILED_TOO_OFTEN,
  /** The attempt failed in a way that no further attempt can change. */
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
  CANCEL,
  /** The whole job begins again. */
  RESTART,
  /** The whole job begins again; the task starts by waiting. */
  RESTART_TO_WAIT,
  /** The job is rolled back: what the task did is to be undone. */
  UNDO,
  UNDONE
}
