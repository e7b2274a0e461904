package dev.imker.server.live;

import dev.imker.model.JobId;

/** What became of the wish to remove a job. */
public sealed interface Removal {
  /** It is gone with all that is known of it; files that nothing else needs go later. */
  record Removed() implements Removal {}

  /** There is none, or it has live tasks. */
  record NotFinished() implements Removal {}

  /** Tasks of another job that is not finished wait for it or take its results. */
  record NeededBy(JobId job) implements Removal {}

  default boolean isDone() {
    return this instanceof Removed;
  }
}
