package dev.imker.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.JobId;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import dev.imker.testbase.ExpectedLogs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Servers of one pool, stepped: what they answer is what was true within the last second. */
@ExpectedLogs("Another server leads the pool now")
class FreshAnswersTest {
  private final SimDisk disk = new SimDisk(1);
  private long millis;
  private long readingMillis;

  private final LoopShell shell =
      new LoopShell() {
        @Override
        public long nanoTime() {
          return TimeUnit.MILLISECONDS.toNanos(millis);
        }

        @Override
        public Executor readers() {
          return Runnable::run;
        }

        @Override
        public int inboxCapacity() {
          return 16;
        }
      };

  private static final class Deaf implements PoolListener {
    @Override
    public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

    @Override
    public void nodesChanged() {}
  }

  private SchedulerLoop server(boolean leads) {
    SimStore store =
        new SimStore(
            disk,
            true,
            point -> {
              if (point == SimStore.Point.READ) {
                millis += readingMillis;
              }
            });
    return new SchedulerLoop(
        store,
        SchedulerSettings.defaults(),
        new RecordingLines(),
        new Deaf(),
        new LoopMeter(new SimpleMeterRegistry()),
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
        leads,
        shell);
  }

  private static <T> CompletableFuture<T> stepped(
      SchedulerLoop server, CompletableFuture<T> answer) {
    for (int i = 0; i < 5 && !answer.isDone(); i++) {
      server.step();
    }
    return answer;
  }

  private static void submit(SchedulerLoop leader) {
    JobSpec spec = JobSpec.of("job", "default", JobKind.NOOP, Stage.of(List.of(), List.of()));
    stepped(leader, new JobCommands(leader).submit("admin", spec, "")).join();
  }

  private static CompletableFuture<Integer> jobs(SchedulerLoop server) {
    return stepped(server, server.ask(PoolState::jobCount));
  }

  @Test
  void a_leader_that_was_replaced_while_it_stood_still_does_not_answer_from_memory() {
    SchedulerLoop former = server(true);
    submit(former);
    assertThat(jobs(former).join()).isEqualTo(1);

    millis += 12_000;
    submit(server(true));
    CompletableFuture<Integer> answer = jobs(former);

    assertThat(answer.exceptionNow()).isInstanceOf(NotLeadingException.class);
    assertThat(jobs(former).join()).as("as a standby").isEqualTo(2);
  }

  @Test
  void a_leader_that_was_not_replaced_answers_after_a_standstill() {
    SchedulerLoop leader = server(true);
    submit(leader);
    millis += 12_000;
    assertThat(jobs(leader).join()).isEqualTo(1);
    assertThat(leader.isLeading()).isTrue();
  }

  @Test
  void a_standby_answers_with_what_was_true_a_second_ago() {
    SchedulerLoop leader = server(true);
    SchedulerLoop standby = server(false);
    submit(leader);
    millis += 1_001;
    assertThat(jobs(standby).join()).isEqualTo(1);
  }

  @Test
  void a_standby_that_reads_slowly_never_answers_with_the_past() {
    SchedulerLoop leader = server(true);
    SchedulerLoop standby = server(false);
    readingMillis = 200;
    int answers = 0;
    for (int i = 1; i <= 40; i++) {
      submit(leader);
      millis += 1_001;
      CompletableFuture<Integer> answer = jobs(standby);
      if (answer.isCompletedExceptionally()) {
        assertThat(answer.exceptionNow())
            .isInstanceOf(PoolUnavailableException.class)
            .hasMessageContaining("ms old. Ask the leader");
      } else {
        assertThat(answer.join()).isEqualTo(i);
        answers++;
      }
    }
    assertThat(answers).isBetween(1, 39);
  }

  @Test
  void all_who_wait_while_a_standby_reads_slowly_are_answered() {
    server(true);
    SchedulerLoop standby = server(false);
    readingMillis = 2_000;
    millis += 60_000;
    CompletableFuture<Integer> first = standby.ask(PoolState::jobCount);
    CompletableFuture<Integer> second = standby.ask(PoolState::jobCount);
    assertThat(stepped(standby, first).join()).isZero();
    assertThat(second.join()).isZero();
  }
}
