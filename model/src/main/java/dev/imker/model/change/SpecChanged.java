package dev.imker.model.change;

import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;

/** Limits of a job were changed; the specification is as if it had been submitted with them. */
public record SpecChanged(JobId job, JobSpec spec) implements Change {}
