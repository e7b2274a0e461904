package dev.imker.model.change;

import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;

/** A job was accepted; its tasks are all in their initial state (READY, or WAITING). */
public record JobAdded(
    JobId job, String user, JobSpec spec, int taskCount, long submittedMillis, String requestKey)
    implements Change {}
