package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Spot;
import org.jspecify.annotations.Nullable;

/** The fields of a stage, and those of its job that serve as defaults. */
public record StageSource(Filled job, Filled own) {
  /** A job of one stage, whose fields are next to the job's own. */
  public static StageSource only(Filled job) {
    return new StageSource(job, job);
  }

  public boolean has(Field<?> field) {
    return own.has(field) || job.has(field);
  }

  private Filled giver(Field<?> field) {
    return own.has(field) || !job.has(field) ? own : job;
  }

  public Spot spot(Field<?> field) {
    return giver(field).spot(field);
  }

  public <T> @Nullable T get(Field<T> field) {
    return giver(field).get(field);
  }

  public <T> T get(Field<T> field, T fallback) {
    return giver(field).get(field, fallback);
  }

  /** Whether job and stage have separate values. */
  public boolean isJoined(Field<?> field) {
    return !isOnly() && own.has(field) && job.has(field);
  }

  private boolean isOnly() {
    return own == job;
  }
}
