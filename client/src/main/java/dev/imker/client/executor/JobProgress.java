package dev.imker.client.executor;

/**
 * The progress of a job.
 *
 * @param status of the job, such as {@code RUNNING} or {@code DONE}
 * @param over whether the job has ended
 * @param failed tasks that failed permanently; a task whose call threw an exception is done, and
 *     the result contains the exception
 */
public record JobProgress(
    String status, boolean over, long tasks, long running, long done, long failed) {}
