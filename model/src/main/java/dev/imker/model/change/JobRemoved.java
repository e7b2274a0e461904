package dev.imker.model.change;

import dev.imker.model.JobId;

/** A settled job is gone, with all that is known of its tasks; its number is never used again. */
public record JobRemoved(JobId job) implements RecordChange {}
