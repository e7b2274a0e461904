package dev.imker.core.message;

import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Amounts of a node that are reserved for tasks that could not start anywhere.
 *
 * @param task the next of them; null for a gang
 * @param count how many are to begin there together
 * @param startMillis when they should begin; {@link Long#MAX_VALUE} if nobody knows
 */
public record ReservationView(NodeId node, @Nullable TaskId task, int count, long startMillis) {}
