package dev.imker.agent.internal.link;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.LeaseRuns;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.model.Granted;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Stops tasks that hold amounts of the whole pool before the pool gives these to others: an agent
 * that is cut off goes on with all other tasks, but two tasks must not use one licence.
 *
 * <p>A lease is renewed when the server hears a sign of life, which is no earlier than that was
 * sent. So from the sending of the last one that was answered, a lease lasts at least its time.
 */
final class LapsingLeases {
  /** The part of a lease in which its tasks have to end: a sixth. */
  private static final int PARTS = 6;

  /** So many times what an answer takes lies between two signs of life. */
  private static final int SLOWDOWN = 10;

  private final Holdings holdings;
  private final LeaseRuns runner;
  private final Predicate<Granted> takesOfPool;
  private volatile long heardNanos;
  private volatile long leaseNanos;
  private volatile long answerNanos;

  LapsingLeases(Holdings holdings, LeaseRuns runner, Predicate<Granted> takesOfPool) {
    this.holdings = holdings;
    this.runner = runner;
    this.takesOfPool = takesOfPool;
    this.heardNanos = holdings.nanoTime();
  }

  /**
   * The server lets this agent in.
   *
   * @param helloNanos when the agent said hello
   * @param leaseMillis 0 if the server does not say
   */
  void welcomed(long helloNanos, long leaseMillis) {
    heardNanos = helloNanos;
    leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
  }

  /** The server has heard what was said then. */
  void heard(long saidNanos) {
    if (saidNanos - heardNanos > 0) {
      heardNanos = saidNanos;
      answerNanos = holdings.nanoTime() - saidNanos;
    }
  }

  /**
   * How long to wait between signs of life: a server that is slow to answer has much to do, and
   * hears less of us, but at least three times in a lease.
   */
  long signNanos(long usualNanos) {
    return Math.max(usualNanos, Math.min(SLOWDOWN * answerNanos, leaseNanos / 3));
  }

  /** On the thread of the runner. */
  void look() {
    long silentNanos = holdings.nanoTime() - heardNanos;
    if (leaseNanos == 0 || silentNanos < leaseNanos - leaseNanos / PARTS) {
      return;
    }
    for (HeldLease held : holdings.all()) {
      TaskRun run = held.run;
      if (run != null && !run.isOver() && run.ending == null && takesOfPool.test(held.granted())) {
        runner.stop(
            held,
            TaskRun.Cause.GIVEN_BACK,
            "The node has lost its server, which gives the shared resources of the task"
                + " to others.");
      }
    }
  }
}
