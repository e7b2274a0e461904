package dev.imker.model.change;

import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;

/**
 * An attempt that had been taken from its agent, and so had ended, has stopped there: what it took
 * until then is known only now. Its outcome and its task's state stay.
 */
public record AttemptStopped(
    TaskId task, LeaseToken token, NodeId node, AttemptReport report, long atMillis)
    implements Change {}
