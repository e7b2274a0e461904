package dev.imker.model.change;

import dev.imker.model.JobId;

/**
 * The data of some tasks of a removed job is deleted.
 *
 * @param last whether these were the last ones
 */
public record RemovedTasksDeleted(JobId job, int fromIndex, int toIndexExclusive, boolean last)
    implements RecordChange {}
