package dev.imker.chaos.check;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import java.util.List;
import java.util.Map;

/**
 * A job that a server has acknowledged.
 *
 * @param name given to no other job
 * @param after by the index of a task, the indexes of those it waits for
 */
public record SubmittedJob(
    String name, JobId id, int tasks, Map<Integer, List<Integer>> after, boolean passesResults) {
  public SubmittedJob {
    after = Map.copyOf(after);
  }

  TaskId task(int index) {
    return new TaskId(id, index);
  }
}
