package dev.imker.chaos.check;

import dev.imker.model.JobId;

/** What the pool says in the end of a job. */
public record FinalJob(JobId id, String name, String status, int tasks) {}
