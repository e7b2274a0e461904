package dev.imker.core.message;

/**
 * Where a READY task stands in the queue of its project.
 *
 * @param higherPriority READY tasks of the project with a higher priority
 * @param samePriority READY tasks of the same priority that came before
 */
public record QueuePlace(int priority, int higherPriority, int samePriority) {}
