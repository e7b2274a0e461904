package dev.imker.server.plan;

import dev.imker.model.job.ActionBinding;
import dev.imker.model.job.JobSpec;
import java.util.List;

/**
 * What somebody wants to be planned and done.
 *
 * @param domain as PDDL
 * @param problem as PDDL
 * @param job a stage for each action of the domain, by its name, whose parameters are those of the
 *     action with a placeholder for a value; besides them the stages that undo
 * @param replan whether another plan is looked for when an action has failed for good
 * @param maxReplans how often at most; 0 means a few times
 * @param plan actions in an order that reaches the goal, as {@code (load f1 p a)}; empty if the
 *     pool is to plan
 */
public record PlanOrder(
    String domain,
    String problem,
    JobSpec job,
    List<ActionBinding> actions,
    boolean replan,
    int maxReplans,
    List<String> plan) {
  public PlanOrder {
    actions = List.copyOf(actions);
    plan = List.copyOf(plan);
  }
}
