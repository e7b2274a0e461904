package dev.imker.core.internal.tasks;

import dev.imker.core.matching.RequirementClasses;
import org.jspecify.annotations.Nullable;

/**
 * Neighbouring READY tasks of one stage: a link of its {@code ReadyQueue} and of its stage's list
 * of ranges. A job of a million tasks is one range.
 */
public final class ReadyRange {
  public final TaskArray job;
  public final StageTasks stage;
  public final long stamp;
  public final int priority;
  public final int requirementClass;
  public int from;
  public int toExclusive;

  public @Nullable ReadyRange before;
  public @Nullable ReadyRange after;
  public @Nullable ReadyRange beforeInStage;
  public @Nullable ReadyRange afterInStage;

  /**
   * All tasks of a range have the same priority and requirement class.
   *
   * @param held whether it is kept from being handed out for now
   * @param stamp grows with every range that is queued: tells which of two queues has waited longer
   */
  public ReadyRange(
      TaskArray job, StageTasks stage, int from, int toExclusive, long stamp, boolean held) {
    this(
        job,
        stage,
        from,
        toExclusive,
        stamp,
        job.priorityOf(from),
        held ? RequirementClasses.NOWHERE : job.requirementClass(from));
  }

  private ReadyRange(
      TaskArray job,
      StageTasks stage,
      int from,
      int toExclusive,
      long stamp,
      int priority,
      int requirementClass) {
    this.priority = priority;
    this.requirementClass = requirementClass;
    this.job = job;
    this.stage = stage;
    this.from = from;
    this.toExclusive = toExclusive;
    this.stamp = stamp;
  }

  /** Whether it was queued before another of the same priority; parts of one keep its stamp. */
  public boolean isBefore(ReadyRange other) {
    return stamp != other.stamp ? stamp < other.stamp : from < other.from;
  }

  /** The part from a task on. */
  public ReadyRange tail(int first) {
    return new ReadyRange(job, stage, first, toExclusive, stamp, priority, requirementClass);
  }

  /** Whether it is kept from being handed out; only of a stage with a limit. */
  public boolean isHeld() {
    return requirementClass == RequirementClasses.NOWHERE;
  }

  public int size() {
    return toExclusive - from;
  }
}
