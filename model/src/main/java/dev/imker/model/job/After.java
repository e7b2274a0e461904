package dev.imker.model.job;

/**
 * What must be done before a task may start.
 *
 * @param stage of the same job; empty if {@code tasks} names tasks of other jobs
 * @param matching which tasks of that stage a task waits for
 * @param tasks selector of tasks of other jobs, all of which must be done; empty with a stage. The
 *     server replaces names by ids when it takes the job.
 * @param any whether it is enough that those tasks have ended, however that was
 * @param data results that a job of the same user publishes under a name, as {@link DataReference};
 *     empty if something else is meant. Once they are published the server adds their version here,
 *     and in {@code tasks} who made them.
 */
public record After(String stage, Matching matching, String tasks, boolean any, String data) {
  /** How tasks of two stages belong together. */
  public enum Matching {
    /** Every task waits for all tasks of the other stage. */
    ALL,
    /** The n-th task waits for the n-th of the other stage; both have the same number. */
    EACH,
    /** A task waits for those with the same values of the parameters that both stages have. */
    PARAMS
  }

  public static After stage(String stage, Matching matching) {
    return new After(stage, matching, "", false, "");
  }

  public static After tasks(String selector) {
    return new After("", Matching.ALL, selector, false, "");
  }

  /** Data that were published, or will be. */
  public static After data(String reference) {
    return new After("", Matching.ALL, "", false, reference);
  }

  /** Data of which this version was published by these tasks. */
  public After published(DataReference version, String by) {
    return new After("", Matching.ALL, by, false, version.toString());
  }

  /** Whether it means data that nobody has published yet. */
  public boolean awaitsData() {
    return !data.isEmpty() && tasks.isEmpty();
  }

  /** The same, satisfied by any end of those tasks. */
  public After orFailed() {
    return new After(stage, matching, tasks, true, data);
  }
}
