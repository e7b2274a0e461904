package dev.imker.server.live;

import dev.imker.model.JobId;

/**
 * A command needs to know of a job that is not in memory. It has changed nothing yet, and is
 * applied again when the job was read on another thread.
 */
public final class NotInMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long job;
  private final boolean wholeJob;
  private final transient MemoryMoment seen;

  /**
   * @param wholeJob whether its tasks are needed as well
   * @param seen when it was not in memory
   */
  public NotInMemoryException(JobId job, boolean wholeJob, MemoryMoment seen) {
    super("job " + job + " is not in memory", null, false, false);
    this.job = job.value();
    this.wholeJob = wholeJob;
    this.seen = seen;
  }

  public JobId job() {
    return new JobId(job);
  }

  boolean wholeJob() {
    return wholeJob;
  }

  MemoryMoment seen() {
    return seen;
  }
}
