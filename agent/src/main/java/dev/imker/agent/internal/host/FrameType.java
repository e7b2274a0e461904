package dev.imker.agent.internal.host;

/** What agent and host tell each other. Both are of the same build, so the order may change. */
enum FrameType {
  /** Host: here I am; content is the secret it was started with. */
  HERE,
  /** Agent: the jars of the library. */
  LIBRARY,
  /** Agent: run this, a {@link Work}. */
  RUN,
  /** Agent: this run is to end. */
  CANCEL,
  /** Agent: answer to a {@link #REQUEST}. */
  REPLY,
  /** Host: a run ended, with a {@link Ended}. */
  ENDED,
  /** Host: fraction and text. */
  PROGRESS,
  /** Host: something that only the pool can do. */
  REQUEST
}
