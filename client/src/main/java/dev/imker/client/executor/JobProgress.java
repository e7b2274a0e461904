package dev.imker.client.executor;

/**
 * How far a job is.
 *
 * @param status of the job, such as {@code RUNNING} or {@code DONE}
 * @param over whether nothing will change any more
 * @param failed tasks that failed for good; one whose call threw is done, and the result tells what
 */
public record JobProgress(
    String status, boolean over, long tasks, long running, long done, long failed) {}
