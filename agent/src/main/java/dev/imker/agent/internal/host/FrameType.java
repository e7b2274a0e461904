package dev.imker.agent.internal.host;

/** The messages between agent and host. Both are from the same build, so the order may change. */
enum FrameType {
  /** Host: here I am; content is the secret it was started with. */
  HERE,
  /** Agent: the jars of the library. */
  LIBRARY,
  /** Agent: run this, a {@link Work}. */
  RUN,
  /** Agent: this run is to end. */
  CANCEL,
  /** Agent: whether somebody reads the log of this run as it is written. */
  FOLLOW,
  /** Agent: answer to a {@link #REQUEST}. */
  REPLY,
  /** Agent: what a sub-task came to. */
  OUTCOME,
  /** Host: a call of a run does not end; the run is over, but its thread is not. */
  STUCK,
  /** Host: a run ended, with a {@link Ended}. */
  ENDED,
  /** Host: fraction and text. */
  PROGRESS,
  /** Host: something that only the pool can do. */
  REQUEST,
  /** Host: whether the run waits for sub-tasks. */
  WAITING,
  /** Host: a value to begin a further attempt with. */
  CHECKPOINT,
  /** Host: a part of a log, after its place in it. */
  LOG
}
