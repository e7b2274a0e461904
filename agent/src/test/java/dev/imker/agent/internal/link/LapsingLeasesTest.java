package dev.imker.agent.internal.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.LeaseRuns;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.proto.FollowLog;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LapsingLeasesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long nowNanos;

  @Test
  void signs_of_life_come_less_often_while_the_server_is_slow_but_in_time_for_the_lease() {
    LapsingLeases leases =
        new LapsingLeases(new Holdings(() -> nowNanos), new NoRuns(), _ -> false);
    leases.welcomed(0, 30_000);
    assertThat(leases.signNanos(5 * SECOND)).isEqualTo(5 * SECOND);
    nowNanos = 10 * SECOND;
    leases.heard(nowNanos - SECOND / 10);
    assertThat(leases.signNanos(5 * SECOND)).isEqualTo(5 * SECOND);
    nowNanos = 20 * SECOND;
    leases.heard(nowNanos - SECOND * 7 / 10);
    assertThat(leases.signNanos(5 * SECOND)).isEqualTo(7 * SECOND);
    nowNanos = 40 * SECOND;
    leases.heard(nowNanos - 8 * SECOND);
    assertThat(leases.signNanos(5 * SECOND)).isEqualTo(10 * SECOND);
    nowNanos = 50 * SECOND;
    leases.heard(nowNanos - 1);
    assertThat(leases.signNanos(5 * SECOND)).isEqualTo(5 * SECOND);
  }

  /** Nothing runs. */
  private static final class NoRuns implements LeaseRuns {
    @Override
    public void note(Runnable note) {}

    @Override
    public void accept(HeldLease held, TaskTemplate template) {}

    @Override
    public void stop(HeldLease held, TaskRun.Cause cause, String reason) {}

    @Override
    public void giveBackUnbegun(HeldLease held, String reason) {}

    @Override
    public void follow(HeldLease held, FollowLog order) {}
  }
}
