package dev.imker.server.internal.rest.plan;

import dev.imker.model.BlobId;
import dev.imker.server.plan.PlannedStages.FactFile;
import java.util.List;

/**
 * A plan that is, or was, carried out by one job. This is what is kept of it, so that any server
 * can look for the next one.
 *
 * @param order the file with the {@link dev.imker.server.plan.PlanOrder}
 * @param number 0 for the first plan of an order
 * @param facts what held when it began
 * @param actions the action of each task; empty for those that undo
 * @param without actions that failed before
 * @param files what earlier jobs have left for facts
 * @param inputs of stages that this job may not have, but the next one could
 * @param why in words, where it was not carried out and nothing else is tried
 */
public record PlanRound(
    String user,
    BlobId order,
    int number,
    List<String> facts,
    List<String> actions,
    List<String> without,
    List<FactFile> files,
    List<BlobId> inputs,
    State state,
    String why) {
  public enum State {
    RUNNING,
    DONE,
    /** Another plan is carried out in its place. */
    REPLANNED,
    GIVEN_UP
  }

  PlanRound ended(State how, String cause) {
    return new PlanRound(user, order, number, facts, actions, without, files, inputs, how, cause);
  }
}
