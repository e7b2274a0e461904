package dev.imker.core;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Time in which a task is frozen is no run time. */
final class PausedTimeTest extends SchedulerFixture {
  private static final long LIMIT_MILLIS = 60_000;

  private Lease start() {
    submit(header(1, 1));
    connect("a", 1);
    return leaseFor("a");
  }

  /** Time passes; the agent lives, and nothing is told to it. */
  private void quietly(long millis, Lease lease) {
    now += millis;
    scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    scheduler.onTick(now, out);
    out.assertNothingLeft();
  }

  @Test
  void a_frozen_task_does_not_run_into_its_limit() {
    Lease lease = start();
    quietly(LIMIT_MILLIS - 1_000, lease);
    scheduler.onPause(now, id("a"), "its owner is back", Map.of(lease, 0L), out);
    quietly(10 * LIMIT_MILLIS, lease);
    scheduler.onPause(now, id("a"), "", Map.of(lease, 10 * LIMIT_MILLIS), out);
    quietly(999, lease);
    now += 1;
    scheduler.onTick(now, out);
    out.assertStopped(lease, "exceeded its time limit");
    finishes("a", lease, AttemptOutcome.STOPPED);
    assertState(TaskState.FAILED, 1, 0);
  }

  @Test
  void a_task_that_was_frozen_for_long_and_then_failed_is_not_taken_for_overtime() {
    Lease lease = start();
    now += 2 * LIMIT_MILLIS;
    scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    scheduler.onPause(now, id("a"), "", Map.of(lease, LIMIT_MILLIS + 10_000), out);
    AttemptReport plain = report(AttemptOutcome.FAILED, 2 * LIMIT_MILLIS - 1);
    scheduler.onFinished(now, id("a"), lease, paused(plain, LIMIT_MILLIS + 10_000), out);
    out.assertConfirmed(lease, true);
    assertState(TaskState.READY, 1, 0);
  }

  @Test
  void what_was_taken_for_overtime_is_none_once_the_agent_tells_of_the_pause() {
    Lease lease = start();
    now += LIMIT_MILLIS;
    scheduler.onSignOfLife(now, id("a"), List.of(lease), out);
    scheduler.onTick(now, out);
    out.assertStopped(lease, "exceeded its time limit");
    scheduler.onPause(now, id("a"), "", Map.of(lease, 30_000L), out);
    finishes("a", lease, AttemptOutcome.GIVEN_BACK);
    assertState(TaskState.READY, 1, 0);
  }

  private static AttemptReport paused(AttemptReport report, long pausedMillis) {
    return new AttemptReport(
        report.outcome(),
        report.exitCode(),
        report.startedMillis(),
        report.endedMillis(),
        report.cpuMillis(),
        report.peakMemoryBytes(),
        report.stdout(),
        report.stderr(),
        report.results(),
        report.error(),
        pausedMillis,
        report.outOfMemory());
  }
}
