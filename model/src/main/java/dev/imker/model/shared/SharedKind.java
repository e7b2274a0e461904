package dev.imker.model.shared;

/** The kind of a shared object; stored by its ordinal. */
public enum SharedKind {
  BARRIER,
  LOCK,
  ELECTION,
  COUNTER,
  CONFIG,
  GROUP,
  QUEUE,

  /** The last answers given to a run, so that a repeated request gets the same answer. */
  ANSWER
}
