package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import java.util.Set;

/**
 * Which tasks of a job to list, in the order of their positions.
 *
 * @param states an empty set lets every state pass
 * @param fromIndex first position, zero-based
 * @param limit at most this many
 * @param withOutput whether inline output comes along; without it, only its size is told
 */
public record TaskQuery(
    JobId job, Set<TaskState> states, int fromIndex, int limit, boolean withOutput) {
  public TaskQuery {
    states = Set.copyOf(states);
  }

  /** All tasks of a job, without their output. */
  public static TaskQuery all(JobId job) {
    return new TaskQuery(job, Set.of(), 0, Integer.MAX_VALUE, false);
  }
}
