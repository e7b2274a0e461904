package dev.imker.model.job;

/**
 * A dependency: what must be finished before a task may start.
 *
 * @param stage of the same job; empty if {@code tasks} names tasks of other jobs
 * @param matching which tasks of that stage a task depends on
 * @param tasks selector of tasks of other jobs, all of which must be done; empty with a stage. The
 *     server replaces names by ids when it takes the job.
 * @param any whether it is enough that those tasks have ended, successfully or not
 * @param data results that a job of the same user publishes under a name, as {@link DataReference};
 *     empty for other dependencies. Once they are published the server adds their version here, and
 *     the tasks that produced them to {@code tasks}.
 */
public record After(String stage, Matching matching, String tasks, boolean any, String data) {
  /** How the tasks of two stages correspond. */
  public enum Matching {
    /** Every task depends on all tasks of the other stage. */
    ALL,
    /**
     * The n-th task depends on the n-th of the other stage; both stages have the same number of
     * tasks.
     */
    EACH,
    /** A task depends on those with the same values of the common parameters. */
    PARAMS
  }

  public static After stage(String stage, Matching matching) {
    return new After(stage, matching, "", false, "");
  }

  public static After tasks(String selector) {
    return new After("", Matching.ALL, selector, false, "");
  }

  /** Data that was published or will be. */
  public static After data(String reference) {
    return new After("", Matching.ALL, "", false, reference);
  }

  /** Data whose version was published by these tasks. */
  public After published(DataReference version, String by) {
    return new After("", Matching.ALL, by, false, version.toString());
  }

  /** Whether it refers to data that has not been published yet. */
  public boolean awaitsData() {
    return !data.isEmpty() && tasks.isEmpty();
  }

  /** The same, satisfied by any end of those tasks. */
  public After orFailed() {
    return new After(stage, matching, tasks, true, data);
  }
}
