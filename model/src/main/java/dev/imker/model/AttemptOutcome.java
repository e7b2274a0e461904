package dev.imker.model;

/** How an attempt ended. */
public enum AttemptOutcome {
  SUCCEEDED,
  FAILED,
  /** Stopped on the server's order: cancelled, superseded, over its time limit. */
  STOPPED,
  /** Given back by the agent through no fault of the task. */
  GIVEN_BACK,
  /** The agent fell silent or no longer knows it. */
  LOST
}
