package dev.imker.server.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.JobId;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.SteadyClock;
import dev.imker.store.sqlite.SqliteStore;
import dev.imker.testbase.ExpectedLogs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must never happen on the loop's thread ends it, so that nobody leads who does nothing. */
@ExpectedLogs({
  "The scheduler failed; stopping this server",
  "Cannot write; reloading",
  "Still broken: the disk is full"
})
class LoopFailureTest {
  @TempDir Path folder;
  private final RecordingLines agents = new RecordingLines();
  private FailingStore store;
  private SchedulerLoop loop;

  @BeforeEach
  void start() {
    store = new FailingStore(SqliteStore.open(folder));
    loop =
        new SchedulerLoop(
            store,
            SchedulerSettings.defaults(),
            agents,
            new Deaf(),
            new LoopMeter(new SimpleMeterRegistry()),
            SteadyClock.ofMachine());
    loop.start();
  }

  private static final class Deaf implements PoolListener {
    @Override
    public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

    @Override
    public void nodesChanged() {}
  }

  @AfterEach
  void stop() {
    loop.close();
    store.close();
  }

  private void assertEnded(String why) {
    assertThat(loop.failed().join()).hasMessageContaining(why);
    assertThat(loop.isLeading()).isFalse();
    assertThat(loop.health().hasFailed()).isTrue();
    assertThat(loop.health().failure()).contains(why);
    assertThat(agents.hungUp).isNotEmpty();
    assertThatThrownBy(() -> loop.ask(PoolState::epoch).join())
        .hasCauseInstanceOf(PoolUnavailableException.class);
  }

  @Test
  void an_exception_after_a_commit_ends_the_loop_and_nobody_waits_for_it() {
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    store.stall();
    loop.tell(
        new Command() {
          @Override
          public void apply(PoolState pool, long nowMillis, Outbox out) {
            out.change(new SettingPut("key", "value"));
          }

          @Override
          public void committed() {
            throw new IllegalStateException("after the commit");
          }
        });
    loop.tell(
        new Command() {
          @Override
          public void apply(PoolState pool, long nowMillis, Outbox out) {}

          @Override
          public void failed(RuntimeException why) {
            later.complete(true);
          }
        });
    store.resume();
    assertEnded("after the commit");
    assertThat(later.join()).isTrue();
    assertThat(store.setting("key")).contains("value");
  }

  @Test
  void reading_from_the_database_on_the_loops_thread_is_an_error() {
    var _ = loop.ask(pool -> store.reads().job(new JobId(1)));
    assertEnded("was to read from the database");
  }

  @Test
  void a_store_that_is_broken_ends_the_server_instead_of_being_tried_for_ever() {
    store.breakDown();
    JobSpec spec = JobSpec.of("job", "default", JobKind.NOOP, Stage.of(List.of(), List.of()));
    assertThatThrownBy(() -> new JobCommands(loop).submit("admin", spec, "").join())
        .hasCauseInstanceOf(PoolUnavailableException.class);
    assertEnded("the disk is damaged");
  }

  @Test
  void a_turn_that_does_not_end_is_seen_from_outside() {
    CountDownLatch end = new CountDownLatch(1);
    CompletableFuture<Boolean> stuck =
        loop.ask(
            pool -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return true;
            });
    await().until(() -> loop.health().standsStill(200));
    end.countDown();
    stuck.join();
    await().until(() -> !loop.health().standsStill(200));
    assertThat(loop.failed()).isNotDone();
  }

  @Test
  void a_slow_disk_does_not_count_as_standing_still() {
    store.stall();
    CompletableFuture<Boolean> written =
        loop.change(
            (pool, nowMillis, out) -> {
              out.change(new SettingPut("key", "value"));
              return true;
            });
    await().until(() -> loop.health().waitingMillis() > 200);
    assertThat(loop.health().busyMillis()).isZero();
    store.resume();
    written.join();
  }
}
