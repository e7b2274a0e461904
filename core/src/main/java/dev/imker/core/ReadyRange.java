package dev.imker.core;

import org.jspecify.annotations.Nullable;

/**
 * Neighbouring READY tasks of one stage: a link of its {@link ReadyQueue} and of its stage's list
 * of ranges. A job of a million tasks is one range.
 */
final class ReadyRange {
  final TaskArray job;
  final StageTasks stage;
  final long stamp;
  int from;
  int toExclusive;

  @Nullable ReadyRange before;
  @Nullable ReadyRange after;
  @Nullable ReadyRange beforeInStage;
  @Nullable ReadyRange afterInStage;

  /**
   * @param stamp grows with every range that is queued: tells which of two queues has waited longer
   */
  ReadyRange(TaskArray job, StageTasks stage, int from, int toExclusive, long stamp) {
    this.job = job;
    this.stage = stage;
    this.from = from;
    this.toExclusive = toExclusive;
    this.stamp = stamp;
  }

  /** Whether it was queued before another of the same priority; parts of one keep its stamp. */
  boolean isBefore(ReadyRange other) {
    return stamp != other.stamp ? stamp < other.stamp : from < other.from;
  }

  int size() {
    return toExclusive - from;
  }
}
