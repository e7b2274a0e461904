package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;

/**
 * A task failed on a node after running that long. Whether that is the fault of the node is known
 * only when the task has succeeded on another.
 *
 * @param unfitUntilMillis until then the task is not given to the node again, which could not even
 *     start it; 0 if it could
 */
public record Suspicion(NodeProfile node, long runMillis, long unfitUntilMillis) {}
