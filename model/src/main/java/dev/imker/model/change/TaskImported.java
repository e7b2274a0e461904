package dev.imker.model.change;

import dev.imker.model.AgentId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.List;

/**
 * A settled task of another pool, with all its attempts. It does not count towards anybody's usage.
 *
 * @param attempts in the order of their tokens
 * @param settling the position of the attempt that settled it, or -1
 */
public record TaskImported(
    TaskId task,
    TaskState state,
    int failures,
    int losses,
    long changedMillis,
    List<Attempt> attempts,
    int settling)
    implements RecordChange {
  public TaskImported {
    attempts = List.copyOf(attempts);
  }

  public record Attempt(
      LeaseToken token,
      int number,
      AgentId agent,
      NodeId node,
      long leasedMillis,
      AttemptReport report) {}
}
