package dev.imker.model.change;

import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;

/**
 * An attempt that had been withdrawn from its agent, and so had ended, has now stopped there, so
 * that its resource usage is known. Its outcome and its task's state stay the same.
 */
public record AttemptStopped(
    TaskId task, LeaseToken token, NodeId node, AttemptReport report, long atMillis)
    implements Change {}
