package dev.imker.model.job;

/** What the tasks of a job are made of. */
public enum JobKind {
  /** A command line per task. */
  COMMAND,
  /** Nothing to do: measures the pool itself. */
  NOOP,
  /** A Java task from a task library, in a task host. */
  JAVA
}
