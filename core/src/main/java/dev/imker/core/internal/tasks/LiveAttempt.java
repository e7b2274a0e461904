package dev.imker.core.internal.tasks;

import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.resource.Grant;
import dev.imker.model.Lease;
import dev.imker.model.change.AttemptReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt an agent has been given and that has not ended. A revoked one no longer belongs to its
 * task but fills its slot until the agent says that it has stopped.
 */
public final class LiveAttempt {
  private static final double OVERDUE = 1.5;
  private static final long MIN_MILLIS = 1000;

  /** Reported values beyond this are invalid and would permanently distort what is learnt. */
  private static final long MAX_RUN_MILLIS = Duration.ofDays(3650).toMillis();

  public final Lease lease;
  public final AttemptHolder agent;
  final int number;
  public final long startedMillis;

  /** What it has taken of its machine and of the pool. */
  public final Grant grant;

  /** Expected run time when it was given out; negative if unknown. */
  final double expectedMillis;

  public @Nullable RunningTask task;
  public @Nullable LiveAttempt nextOfTask;
  @Nullable LiveAttempt beforeOfAgent;
  public @Nullable LiveAttempt afterOfAgent;

  /** How long it was frozen so far, as its agent said last; that time is no run time. */
  public long pausedMillis;

  /** Whether it was told to stop because of its run-time limit. */
  public boolean overLimit;

  /** Why it was taken from its agent; empty while it counts. */
  public String revoked = "";

  /** When its agent was asked to give it back unless it has begun; 0: never. */
  public long recalledMillis;

  /** Whether no other attempt can do better. */
  public boolean hopeless;

  /** Whether it ended before its agent knew of it. */
  public boolean undelivered;

  /** Whether its node could not start the task before, either. */
  public boolean unfitAgain;

  /** Whether its loss says nothing about its task and its node. */
  public boolean excused;

  /** The number of the agent's last list of held leases that names it. */
  public long namedIn;

  /** Position in {@code LimitHeap}; −1 outside. */
  public int heapPosition = -1;

  public long limitMillis;

  public LiveAttempt(
      Lease lease,
      AttemptHolder agent,
      RunningTask task,
      int number,
      long startedMillis,
      double expectedMillis,
      Grant grant) {
    this.lease = lease;
    this.agent = agent;
    this.task = task;
    this.number = number;
    this.startedMillis = startedMillis;
    this.expectedMillis = expectedMillis;
    this.grant = grant;
  }

  /**
   * When it should end by what is known of run times. What has run longer than it should, or of
   * which nothing is known, is expected to run on for half as long as it has.
   */
  public long expectedEndMillis(long nowMillis) {
    RunningTask running = task;
    if (running == null) {
      return nowMillis;
    }
    long from = startedMillis + pausedMillis;
    long age = Math.max(0, nowMillis - from);
    ProjectProfile project = running.job.project();
    double expected =
        expectedMillis < 0 && project.isRunTimeKnown() ? project.runMillis() : expectedMillis;
    long length = (long) (expected > age ? expected : age * OVERDUE + MIN_MILLIS);
    long most = running.job.maxRuntimeMillis(running.index);
    return from + (most > 0 ? Math.min(Math.max(most, age), length) : length);
  }

  public boolean isRevoked() {
    return task == null;
  }

  /** How long it ran, as its agent says; without that, since it was given out. */
  public long runMillis(long nowMillis, AttemptReport report) {
    return report.startedMillis() > 0
        ? Math.clamp(report.runMillis(), 0, MAX_RUN_MILLIS)
        : ageMillis(nowMillis);
  }

  public long ageMillis(long nowMillis) {
    return Math.max(0, nowMillis - startedMillis - pausedMillis);
  }
}
