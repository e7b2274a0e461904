package dev.imker.core.message;

import dev.imker.model.AgentId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import java.util.List;

/**
 * Why a task went to a machine, and the figures of that moment.
 *
 * @param why what decided, such as "survival chose its project"
 * @param strategy the one in use then
 * @param candidates how many projects were offered the slot
 * @param fitting how many had a READY task that fitted
 * @param idleNodes how many machines had nothing to do
 * @param reputation of the machine, −1 to 1
 * @param considered the chosen project first; empty where the strategy was not asked, or decisions
 *     were too many to keep the figures of all
 */
public record DecisionView(
    long atMillis,
    TaskId task,
    int attempt,
    AgentId agent,
    String why,
    String strategy,
    int candidates,
    int fitting,
    int idleNodes,
    double reputation,
    double uptimeMinutes,
    List<Considered> considered) {
  /** A project that was a candidate, and what the strategy saw of it. */
  public record Considered(ProjectId project, String figures) {}
}
