package dev.imker.agent.internal.work;

/** How inputs of some size come from the cache into a work folder; small ones are copied always. */
public enum Laying {
  /** Each task gets a copy of its own. */
  COPY,
  /** As a read-only file that shares its content with the cache. */
  LINK,
  /** As LINK, mounted by the sandbox, which nobody inside can write to. */
  MOUNT
}
