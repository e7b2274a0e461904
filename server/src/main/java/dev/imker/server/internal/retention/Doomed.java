package dev.imker.server.internal.retention;

import dev.imker.store.JobRecord;

/** A job that the rules no longer keep, and why. */
public record Doomed(JobRecord job, long bytes, String why) {}
