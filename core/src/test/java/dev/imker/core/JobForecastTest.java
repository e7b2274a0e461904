package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.ExpectedEnd;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When jobs are expected to end. */
class JobForecastTest extends SchedulerFixture {
  private static final JobId JOB = new JobId(1);

  @AfterEach
  void forgetMessages() {
    out.takeAll();
  }

  private ExpectedEnd end() {
    return Objects.requireNonNull(scheduler.view().expectedEnd(JOB, now));
  }

  private void run(String agent, long millis) {
    Lease lease = leaseFor(agent);
    now += millis;
    finish(agent, lease, AttemptOutcome.SUCCEEDED, millis);
  }

  @Test
  void nothing_is_said_before_a_run_time_is_known_or_while_nothing_runs() {
    submit(header(1, 3));
    connect("a", 1);
    dispatch();
    assertThat(scheduler.view().expectedEnd(JOB, now)).isNull();
    assertThat(scheduler.view().expectedEnd(new JobId(9), now)).isNull();
  }

  @Test
  void tasks_that_are_left_take_a_mean_run_each_on_as_many_machines_as_work_now() {
    submit(header(1, 12));
    connect("a", 1);
    run("a", 10_000);
    run("a", 10_000);
    dispatch();
    assertThat(end()).isEqualTo(new ExpectedEnd(now + 100_000, now + 100_000, now + 100_000));
    now += 4_000;
    assertThat(end().atMillis()).isEqualTo(now + 96_000);
    connect("b", 1);
    dispatch();
    assertThat(end().atMillis()).isBetween(now + 45_000, now + 60_000);
  }

  @Test
  void runs_of_different_lengths_widen_what_is_expected() {
    submit(header(1, 12));
    connect("a", 1);
    run("a", 5_000);
    run("a", 15_000);
    run("a", 10_000);
    dispatch();
    ExpectedEnd end = end();
    assertThat(end.earliestMillis()).isBetween(now + 1, end.atMillis() - 5_000);
    assertThat(end.latestMillis() - end.atMillis())
        .isEqualTo(end.atMillis() - end.earliestMillis());
  }

  @Test
  void nothing_is_said_of_a_job_that_is_unlike_all_runs_before() {
    submit(header(1, 2));
    connect("a", 1);
    run("a", 10_000);
    dispatch();
    now += 15_000;
    assertThat(end().atMillis()).isGreaterThan(now);
    now += 15_000;
    assertThat(scheduler.view().expectedEnd(JOB, now)).isNull();
  }

  @Test
  void a_single_task_ends_after_what_is_left_of_a_run() {
    submit(header(1, 2));
    connect("a", 1);
    run("a", 60_000);
    dispatch();
    now += 45_000;
    assertThat(end().atMillis()).isEqualTo(now + 15_000);
    assertThat(end().latestMillis()).isGreaterThan(now + 15_000);
  }
}
