package dev.imker.core.internal.agents;

import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.resource.Demand;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of a machine that are reserved for tasks that could not start anywhere. Others get them
 * only if they are expected to end before.
 *
 * @param project of the task; null for a gang
 * @param requirementClass of the task
 * @param count number of tasks with the same demand that start together
 */
public record Reservation(
    Machine machine,
    @Nullable ProjectQueues project,
    int requirementClass,
    Demand demand,
    int count,
    long madeMillis) {
  public Reservation withCount(int other) {
    return new Reservation(machine, project, requirementClass, demand, other, madeMillis);
  }
}
