package dev.imker.model.shared;

/** What kind of thing it is; stored by its position. */
public enum SharedKind {
  BARRIER,
  LOCK,
  ELECTION,
  COUNTER,
  CONFIG,
  GROUP,
  QUEUE,

  /** What a run was told last, so that the same question gets the same answer. */
  ANSWER
}
