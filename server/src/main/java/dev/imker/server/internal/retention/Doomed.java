package dev.imker.server.internal.retention;

import dev.imker.store.JobRecord;

/** A job to be removed by the retention rules, and why. */
public record Doomed(JobRecord job, long bytes, String why) {}
