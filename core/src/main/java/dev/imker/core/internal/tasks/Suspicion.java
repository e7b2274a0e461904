package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;

/**
 * A task failed on a node after running that long. Whether that is the fault of the node is known
 * only when the task has succeeded on another.
 */
public record Suspicion(NodeProfile node, long runMillis) {}
