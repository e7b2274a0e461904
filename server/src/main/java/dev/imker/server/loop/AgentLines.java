package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.change.Change;
import dev.imker.server.live.LiveJob;
import java.util.List;

/** Ways to the agents. The loop calls these after the commit; none of them may wait. */
public interface AgentLines {
  /**
   * @param undo whether the task is handed out to undo what an earlier attempt did
   */
  void assign(AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo);

  /** Wants a task back unless the agent has begun it. */
  default void recall(AgentId agent, Lease lease) {}

  /** Describes a stage again, whose limits have changed. */
  void describe(AgentId agent, LiveJob job, int stage);

  void stop(AgentId agent, Lease lease, String reason);

  void confirm(AgentId agent, Lease lease, boolean accepted);

  /** Wants all tasks of the agent frozen for a reason, or, without one, to go on. */
  void pause(AgentId agent, String why);

  /** Hears all changes of a turn. */
  default void committed(List<Change> changes, PoolState pool) {}

  /** All of them have to come back and say what they hold. */
  void hangUpAll(String reason);
}
