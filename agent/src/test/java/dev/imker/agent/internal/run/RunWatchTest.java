package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.policy.Policy;
import dev.imker.model.JobId;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Lease;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunWatchTest {
  private final RunWatch watch = new RunWatch(Policy.GENEROUS, () -> 0);
  private long now = Long.MAX_VALUE - 5; // the clock may overflow
  private final TaskRun run = run();

  private TaskRun run() {
    TaskRun begun = begun();
    begun.startedNanos = now;
    begun.maxRuntimeMillis = 10_000;
    return begun;
  }

  static TaskRun begun() {
    Lease lease = Lease.newBuilder().setJob(1).setToken(7).build();
    HeldLease held = new HeldLease(Assignment.newBuilder().setLease(lease).build());
    return new TaskRun(held, template());
  }

  static TaskTemplate template() {
    return new TaskTemplate(
        new JobId(1),
        0,
        "ada",
        "render",
        "scene",
        JobKind.COMMAND,
        List.of("true"),
        "",
        List.of(),
        Map.of(),
        List.of(),
        List.of(),
        TaskRules.USUAL);
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void a_run_ends_when_it_ran_for_longer_than_its_limit() {
    pass(11);
    assertThat(watch.check(run, now)).isNull(); // the server has a moment to say so first
    pass(2);
    assertThat(watch.check(run, now))
        .extracting(TaskRun.Ending::cause)
        .isEqualTo(TaskRun.Cause.OVERTIME);
  }

  @Test
  void time_in_which_it_is_frozen_does_not_count() {
    pass(9);
    run.frozen.set(true, now);
    pass(3600);
    assertThat(watch.check(run, now)).isNull();
    assertThat(run.frozen.millis(now)).isEqualTo(3_600_000);
    run.frozen.set(true, now); // said twice
    run.frozen.set(false, now);
    pass(2);
    assertThat(watch.check(run, now)).isNull();
    run.frozen.set(true, now);
    pass(50);
    run.frozen.set(false, now);
    assertThat(run.ranMillis(now)).isEqualTo(11_000);
    pass(2);
    assertThat(watch.check(run, now)).isNotNull();
  }
}
