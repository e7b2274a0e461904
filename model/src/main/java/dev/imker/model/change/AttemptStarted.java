package dev.imker.model.change;

import dev.imker.model.AgentId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;

/**
 * A lease was given: the task is RUNNING.
 *
 * @param granted what it holds, as {@link dev.imker.model.Granted#text}; empty for one core
 */
public record AttemptStarted(
    TaskId task,
    LeaseToken token,
    AgentId agent,
    NodeId node,
    int attempt,
    String granted,
    long atMillis)
    implements Change {
  /** An attempt that takes one core. */
  public AttemptStarted(
      TaskId task, LeaseToken token, AgentId agent, NodeId node, int attempt, long atMillis) {
    this(task, token, agent, node, attempt, "", atMillis);
  }
}
