package dev.imker.model.change;

import dev.imker.model.JobId;

/** A job as a whole took a turn after a failure; the phase is a short word for people. */
public record JobPhased(JobId job, String phase) implements Change {}
