package dev.imker.model.change;

import dev.imker.model.JobId;

/** A job as a whole changed its phase after a failure; the phase is a short word for people. */
public record JobPhased(JobId job, String phase) implements Change {}
