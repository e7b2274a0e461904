package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;

/**
 * A task failed on a node after running for some time. Whether that is the node's fault is known
 * only after the task has succeeded on another one.
 *
 * @param unfitUntilMillis until then the task is not given to the node again, which could not even
 *     start it; 0 if it could
 */
public record Suspicion(NodeProfile node, long runMillis, long unfitUntilMillis) {}
