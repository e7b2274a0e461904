package dev.imker.server.loop;

import dev.imker.model.JobId;
import dev.imker.model.JobSpec;

/** What the server remembers of a job in the scheduler's memory. */
public record LiveJob(JobId id, String user, JobSpec spec, String requestKey) {}
