package dev.imker.server.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskState;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.After;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobBatches;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.commands.SubmissionGate;
import dev.imker.server.live.Removal;
import dev.imker.server.live.RemovedTasks;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.SteadyClock;
import dev.imker.store.TaskQuery;
import dev.imker.store.sqlite.SqliteStore;
import dev.imker.testbase.ExpectedLogs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs({
  "Cannot write; reloading",
  "Still broken: the disk is full",
  "A command was rejected because of an internal error"
})
class SchedulerLoopTest {
  private static final AgentId AGENT = new AgentId("a");
  @TempDir Path folder;
  private final RecordingLines agents = new RecordingLines();
  private final List<JobId> changed = new CopyOnWriteArrayList<>();
  private final AtomicLong wallJumpMillis = new AtomicLong();
  private final AtomicLong aheadMillis = new AtomicLong();
  private FailingStore store;
  private SchedulerLoop loop;
  private JobCommands jobs;

  @BeforeEach
  void start() {
    store = new FailingStore(SqliteStore.open(folder));
    PoolListener listener =
        new PoolListener() {
          @Override
          public void jobsChanged(Collection<JobId> touched, Collection<JobId> settled) {
            changed.addAll(touched);
          }

          @Override
          public void nodesChanged() {}
        };
    loop =
        new SchedulerLoop(
            store,
            SchedulerSettings.defaults(),
            agents,
            listener,
            new LoopMeter(new SimpleMeterRegistry()),
            new SteadyClock(
                () -> System.currentTimeMillis() + wallJumpMillis.get(),
                () -> System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aheadMillis.get())));
    loop.start();
    jobs = new JobCommands(loop);
  }

  @AfterEach
  void stop() {
    store.fill(false);
    store.resume();
    awaitService();
    loop.ask(
            pool -> {
              pool.scheduler().checkInvariants();
              return true;
            })
        .join();
    loop.close();
    store.close();
  }

  private void awaitService() {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreException(CompletionException.class)
        .until(() -> loop.ask(PoolState::epoch).join() > 0);
  }

  private static JobSpec spec(int tasks) {
    return spec(SweepAxis.range("n", 1, tasks, 1, 0));
  }

  private static JobSpec listing(int values) {
    return spec(SweepAxis.of("n", Collections.nCopies(values, "x")));
  }

  private static JobSpec spec(SweepAxis axis) {
    return JobSpec.of("job", "default", JobKind.NOOP, Stage.of(List.of(), List.of(axis)));
  }

  private JobId submit(int tasks) {
    return jobs.submit("admin", spec(tasks), "").join().job();
  }

  private void hello(List<Lease> held) {
    Platform platform =
        new Platform("linux", "", "x86_64", "host", 2, 0, 1, 1, 1, Map.of(), Set.of());
    AgentHello hello = new AgentHello(AGENT, new NodeId("n"), "a", "test", platform, 1, 1, held);
    CompletableFuture<Boolean> done =
        loop.change(
            (pool, nowMillis, out) -> {
              pool.scheduler().onHello(nowMillis, hello, out);
              return true;
            });
    done.join();
  }

  private CompletableFuture<Boolean> finish(Lease lease) {
    return loop.change(
        (pool, nowMillis, out) -> {
          AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, nowMillis, "");
          pool.scheduler().onFinished(nowMillis, AGENT, lease, report, out);
          return true;
        });
  }

  @Test
  void many_submissions_at_once_all_get_their_own_number() {
    List<CompletableFuture<JobCommands.Submitted>> answers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      answers.add(jobs.submit("admin", spec(3), ""));
    }
    assertThat(answers.stream().map(answer -> answer.join().job().value()))
        .doesNotHaveDuplicates()
        .hasSize(500);
    assertThat(store.lastJobId()).isEqualTo(500);
    // Subscribers hear of a turn after those who asked; this answer comes with a later turn.
    loop.ask(PoolState::jobCount).join();
    assertThat(changed).contains(new JobId(1), new JobId(500));
  }

  @Test
  void a_submission_that_cannot_be_written_fails_and_leaves_no_trace() {
    submit(2);
    store.fill(true);
    assertThatThrownBy(() -> submit(7))
        .hasCauseInstanceOf(PoolUnavailableException.class)
        .hasMessageContaining("the disk is full")
        .hasMessageContaining("Nothing was changed");
    assertThatThrownBy(() -> loop.ask(PoolState::epoch).join())
        .hasCauseInstanceOf(PoolUnavailableException.class);
    assertThat(agents.hungUp).isNotEmpty();
    store.fill(false);
    store.resume();
    awaitService();
    assertThat(loop.ask(PoolState::jobCount).join()).isEqualTo(1);
    assertThat(submit(4)).isEqualTo(new JobId(2));
    assertThat(loop.ask(pool -> pool.counts(new JobId(2))).join()[TaskState.READY.ordinal()])
        .isEqualTo(4);
  }

  @Test
  void an_assignment_that_cannot_be_written_is_not_sent() {
    submit(1);
    store.fill(true);
    assertThatThrownBy(() -> hello(List.of())).hasCauseInstanceOf(PoolUnavailableException.class);
    assertThat(agents.assigned).isEmpty();
  }

  @Test
  void work_that_went_ahead_and_was_never_written_counts_for_nothing() {
    hello(List.of());
    store.fill(true);
    assertThatThrownBy(() -> submit(1)).hasCauseInstanceOf(PoolUnavailableException.class);
    Lease ahead = agents.assigned.getFirst();
    store.fill(false);
    awaitService();
    assertThat(agents.hungUp).isNotEmpty();
    assertThat(store.lastJobId()).isZero();
    JobId job = submit(1);
    assertThat(job).isEqualTo(ahead.task().job());
    hello(List.of(ahead));
    finish(ahead).join();
    assertThat(loop.ask(pool -> pool.counts(job)).join()[TaskState.DONE.ordinal()]).isZero();
    assertThat(agents.confirmed).isEmpty();
  }

  @Test
  void nobody_reads_of_work_that_went_ahead_before_it_is_on_disk() {
    hello(List.of());
    List<Boolean> read = new CopyOnWriteArrayList<>();
    agents.onAssign =
        () ->
            read.add(
                CompletableFuture.supplyAsync(() -> store.reads().job(new JobId(1)).isPresent())
                    .join());
    store.stall();
    CompletableFuture<JobCommands.Submitted> answer = jobs.submit("admin", spec(1), "");
    await().until(() -> !read.isEmpty());
    assertThat(read).containsExactly(false);
    assertThat(answer).isNotDone();
    store.resume();
    assertThat(store.reads().job(answer.join().job())).isPresent();
  }

  @Test
  void a_little_work_goes_out_before_the_disk_has_it_but_no_answer_does() {
    hello(List.of());
    AtomicInteger onDiskAtWork = new AtomicInteger();
    agents.onAssign = () -> onDiskAtWork.set(store.commits());
    int onDiskAtAnswer = jobs.submit("admin", spec(1), "").thenApply(_ -> store.commits()).join();
    await().until(() -> agents.assigned.size() == 1);
    assertThat(onDiskAtAnswer).isGreaterThan(onDiskAtWork.get());
  }

  @Test
  void a_report_that_cannot_be_written_is_not_confirmed_and_counts_when_it_comes_again() {
    hello(List.of());
    JobId job = submit(1);
    await().until(() -> agents.assigned.size() == 1);
    Lease lease = agents.assigned.getFirst();
    store.fill(true);
    assertThatThrownBy(() -> finish(lease).join())
        .hasCauseInstanceOf(PoolUnavailableException.class);
    assertThat(agents.confirmed).isEmpty();
    store.fill(false);
    store.resume();
    awaitService();
    assertThat(loop.ask(pool -> pool.scheduler().view().state(lease.task())).join())
        .isEqualTo(TaskState.RUNNING);
    hello(List.of(lease));
    finish(lease).join();
    await().untilAsserted(() -> assertThat(agents.confirmed).containsExactly(lease));
    assertThat(loop.ask(pool -> pool.counts(job)).join()[TaskState.DONE.ordinal()]).isEqualTo(1);
  }

  @Test
  void tokens_after_a_repair_are_never_those_from_before() {
    hello(List.of());
    submit(1);
    await().until(() -> agents.assigned.size() == 1);
    long before = agents.assigned.getFirst().token().epoch();
    store.fill(true);
    assertThatThrownBy(() -> submit(1)).hasCauseInstanceOf(PoolUnavailableException.class);
    store.fill(false);
    store.resume();
    awaitService();
    hello(List.of());
    await().until(() -> agents.assigned.size() == 2);
    assertThat(agents.assigned.getLast().token().epoch()).isGreaterThan(before);
  }

  @Test
  void a_jump_of_the_machine_clock_loses_no_lease() {
    hello(List.of());
    submit(1);
    await().until(() -> agents.assigned.size() == 1);
    Lease lease = agents.assigned.getFirst();
    for (long jump : new long[] {Duration.ofDays(2).toMillis(), -Duration.ofDays(2).toMillis()}) {
      wallJumpMillis.set(jump);
      for (int turn = 0; turn < 5; turn++) {
        submit(1);
      }
      assertThat(loop.ask(pool -> pool.scheduler().view().leases(AGENT)).join())
          .containsExactly(lease);
    }
    finish(lease).join();
    await().untilAsserted(() -> assertThat(agents.confirmed).containsExactly(lease));
  }

  @Test
  void a_strategy_that_cannot_be_written_is_not_used() {
    StrategySetting setting = new StrategySetting(loop);
    setting.choose("round-robin").join();
    store.fill(true);
    assertThatThrownBy(() -> setting.choose("random").join())
        .hasCauseInstanceOf(PoolUnavailableException.class);
    store.fill(false);
    awaitService();
    assertThat(setting.text().join()).isEqualTo("round-robin");
    assertThat(loop.ask(pool -> pool.scheduler().strategy().name()).join())
        .isEqualTo("round-robin");
  }

  @Test
  void an_error_before_anything_has_happened_costs_the_command_that_had_it_only() {
    hello(List.of());
    CompletableFuture<Object> broken =
        loop.change(
            (pool, nowMillis, out) -> {
              throw new IllegalArgumentException("nonsense");
            });
    assertThatThrownBy(broken::join)
        .hasCauseInstanceOf(ImkerException.class)
        .hasMessageContaining("Nothing was changed");
    assertThat(submit(1)).isEqualTo(new JobId(1));
    await().until(() -> agents.assigned.size() == 1);
    assertThat(agents.hungUp).isEmpty();
  }

  @Test
  void a_refused_command_does_not_disturb_the_others() {
    assertThatThrownBy(() -> jobs.act(JobCommands.Action.CANCEL, new JobId(9), 0, 1).join())
        .hasCauseInstanceOf(ImkerException.class)
        .hasMessageContaining("no job 9");
    assertThat(submit(1)).isEqualTo(new JobId(1));
    assertThat(agents.hungUp).isEmpty();
  }

  @Test
  void settled_jobs_are_forgotten_but_can_be_brought_back() {
    for (int i = 0; i < 300; i++) {
      JobId job = submit(1);
      jobs.act(JobCommands.Action.CANCEL, job, 0, 1).join();
    }
    assertThat(loop.ask(PoolState::jobCount).join()).isLessThan(300);
    assertThat(loop.ask(pool -> pool.job(new JobId(1)) == null).join()).isTrue();
    assertThat(jobs.act(JobCommands.Action.RELEASE, new JobId(1), 0, 1).join()).isEqualTo(1);
    assertThat(loop.ask(pool -> pool.counts(new JobId(1))).join()[TaskState.READY.ordinal()])
        .isEqualTo(1);
  }

  @Test
  void a_reading_that_fails_half_way_leaves_nothing_behind_and_done_stays_done() {
    hello(List.of());
    JobId job = submit(3);
    await().until(() -> agents.assigned.size() == 1);
    Lease first = agents.assigned.getFirst();
    finish(first).join();
    jobs.act(JobCommands.Action.CANCEL, job, 1, 3).join();
    pushOutOfMemory(job);
    for (int readable = 0; readable < 3; readable++) {
      store.failReadingAfter(readable);
      assertThatThrownBy(() -> jobs.act(JobCommands.Action.RELEASE, job, 0, 3).join())
          .hasMessageContaining("cannot be read");
      assertThat(loop.ask(pool -> pool.job(job) == null).join()).isTrue();
    }
    assertThat(jobs.act(JobCommands.Action.RELEASE, job, 0, 3).join()).isEqualTo(2);
    assertThat(loop.ask(pool -> pool.scheduler().view().state(first.task())).join())
        .isEqualTo(TaskState.DONE);
  }

  @Test
  void a_job_that_was_removed_does_not_come_back_by_an_older_reading() {
    JobId job = submit(1);
    jobs.act(JobCommands.Action.CANCEL, job, 0, 1).join();
    pushOutOfMemory(job);
    CompletableFuture<Removal> removal = jobs.remove(job);
    CompletableFuture<Integer> release = jobs.act(JobCommands.Action.RELEASE, job, 0, 1);
    assertThat(removal.handle((done, _) -> done != null && done.isDone()).join())
        .isNotEqualTo(release.handle((_, failure) -> failure == null).join());
    boolean there = store.reads().job(job).isPresent();
    assertThat(loop.ask(pool -> pool.job(job) != null).join()).isEqualTo(there);
  }

  @Test
  void no_turn_is_about_more_than_some_thousand_tasks_whatever_is_asked() {
    JobId job = submit(30_000);
    assertThat(jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE).join())
        .isEqualTo(30_000);
    BulkCommands bulk = new BulkCommands(loop);
    assertThat(bulk.act(JobCommands.Action.RELEASE, job, Set.of(TaskState.CANCELLED)).join())
        .isEqualTo(30_000);
    assertThat(jobs.act(JobCommands.Action.BLOCK, job, 10_000, 20_000).join()).isEqualTo(10_000);
    assertThat(bulk.act(JobCommands.Action.RELEASE, job, Set.of(TaskState.BLOCKED)).join())
        .isEqualTo(10_000);
    assertThat(jobs.act(JobCommands.Action.CANCEL, job, 0, 30_000).join()).isEqualTo(30_000);
    assertThat(jobs.remove(job).join().isDone()).isTrue();
    assertThat(store.reads().job(job)).isEmpty();
    await().until(() -> store.removedJobs().isEmpty());
    assertThat(store.reads().tasks(TaskQuery.all(job))).isEmpty();
    assertThat(store.largestCommit()).isLessThanOrEqualTo(RemovedTasks.TASKS_PER_TURN + 100);
  }

  @Test
  void others_are_served_while_a_large_job_is_cancelled() {
    JobId job = submit(200_000);
    CompletableFuture<Integer> cancelled =
        jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE);
    submit(1);
    assertThat(cancelled).isNotDone();
    assertThat(cancelled.join()).isEqualTo(200_000);
    assertThat(store.reads().job(job).orElseThrow().isSettled()).isTrue();
  }

  @Test
  void the_later_of_two_orders_has_the_last_word() {
    JobId job = submit(10_000);
    jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE).join();
    CompletableFuture<Integer> released =
        jobs.act(JobCommands.Action.RELEASE, job, 0, Integer.MAX_VALUE);
    CompletableFuture<Integer> cancelled =
        jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE);
    CompletableFuture<Integer> one = jobs.act(JobCommands.Action.RELEASE, job, 9_999, 10_000);
    CompletableFuture<Removal> removed = jobs.remove(job);
    assertThat(released.join()).isEqualTo(10_000);
    assertThat(cancelled.join()).isEqualTo(10_000);
    assertThat(one.join()).isEqualTo(1);
    assertThat(removed.join().isDone()).isFalse();
    int[] counts = loop.ask(pool -> pool.counts(job)).join();
    assertThat(counts[TaskState.CANCELLED.ordinal()]).isEqualTo(9_999);
    assertThat(counts[TaskState.READY.ordinal()]).isEqualTo(1);
    jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE).join();
    assertThat(jobs.remove(job).join().isDone()).isTrue();
  }

  @Test
  void limits_of_a_job_may_be_changed_right_before_it_is_cancelled_and_removed() {
    hello(List.of());
    JobId job = submit(1);
    await().until(() -> agents.assigned.size() == 1);
    CompletableFuture<Boolean> held = holdUpTheNextTurn();
    CompletableFuture<Integer> limited = jobs.limit(job, rules -> rules.withLimits(3, 5_000));
    CompletableFuture<Integer> cancelled = jobs.act(JobCommands.Action.CANCEL, job, 0, 1);
    CompletableFuture<Removal> removed = jobs.remove(job);
    store.resume();
    held.join();
    assertThat(limited.join()).isEqualTo(1);
    assertThat(cancelled.join()).isEqualTo(1);
    assertThat(removed.join().isDone()).isTrue();
    assertThat(loop.ask(PoolState::jobCount).join()).isZero();
    assertThat(loop.failed()).isNotDone();
  }

  /** What comes until the store resumes is taken in one turn. */
  private CompletableFuture<Boolean> holdUpTheNextTurn() {
    store.stall();
    return loop.change(
        (pool, nowMillis, out) -> {
          out.change(new SettingPut("key", "value"));
          return true;
        });
  }

  @Test
  void what_is_left_of_a_removed_job_is_deleted_after_a_failure() {
    JobId job = submit(30_000);
    jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE).join();
    jobs.remove(job).join();
    store.fill(true);
    assertThatThrownBy(() -> submit(1)).hasCauseInstanceOf(PoolUnavailableException.class);
    store.fill(false);
    awaitService();
    await().until(() -> store.removedJobs().isEmpty());
    assertThat(store.reads().tasks(TaskQuery.all(job))).isEmpty();
  }

  /** The second stage is named first, and waits for the other. */
  @Test
  void tasks_that_wait_for_others_are_cancelled_with_them_and_come_back_with_them() {
    Stage second =
        Stage.of(List.of(), List.of(SweepAxis.range("n", 1, 3_000, 1, 0)))
            .withName("second")
            .withAfter(List.of(After.stage("first", After.Matching.EACH)));
    Stage first =
        Stage.of(List.of(), List.of(SweepAxis.range("n", 1, 3_000, 1, 0))).withName("first");
    JobSpec spec = spec(1).withStages(List.of(second, first));
    JobId job = jobs.submit("admin", spec, "").join().job();
    assertThat(jobs.act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE).join())
        .isEqualTo(6_000);
    assertThat(loop.ask(pool -> pool.counts(job)).join()[TaskState.CANCELLED.ordinal()])
        .isEqualTo(6_000);
    jobs.act(JobCommands.Action.RELEASE, job, 0, Integer.MAX_VALUE).join();
    int[] counts = loop.ask(pool -> pool.counts(job)).join();
    assertThat(counts[TaskState.READY.ordinal()]).isEqualTo(3_000);
    assertThat(counts[TaskState.WAITING.ordinal()]).isEqualTo(3_000);
  }

  private void pushOutOfMemory(JobId job) {
    List<CompletableFuture<JobCommands.Submitted>> others = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      others.add(jobs.submit("admin", spec(1), ""));
    }
    List<CompletableFuture<Integer>> cancelled = new ArrayList<>();
    for (CompletableFuture<JobCommands.Submitted> other : others) {
      cancelled.add(jobs.act(JobCommands.Action.CANCEL, other.join().job(), 0, 1));
    }
    cancelled.forEach(CompletableFuture::join);
    await().until(() -> loop.ask(pool -> pool.job(job) == null).join());
  }

  @Test
  void numbers_of_a_submission_that_took_too_long_are_not_used_twice() {
    JobBatches batches = new JobBatches(loop);
    JobBatches.Numbers numbers = batches.reserve(1).join();
    JobId number = numbers.ids().getFirst();
    JobBatches.Entry late = new JobBatches.Entry(number, spec(1), "", "");
    batches.giveBack(numbers).join();
    assertThat(submit(2)).isEqualTo(number);
    assertThatThrownBy(() -> batches.submit("admin", numbers, List.of(late), Quota.NONE).join())
        .hasCauseInstanceOf(PoolUnavailableException.class)
        .hasMessageContaining("nothing was submitted");
    assertThat(loop.ask(pool -> pool.counts(number)).join()[TaskState.READY.ordinal()])
        .isEqualTo(2);
  }

  @Test
  void flood_of_submissions_is_refused_instead_of_kept_while_the_disk_is_slow() throws Exception {
    int threads = 50;
    int each = 200;
    store.stall();
    List<CompletableFuture<JobCommands.Submitted>> sent =
        Collections.synchronizedList(new ArrayList<>());
    List<Thread> flood = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      flood.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      sent.add(jobs.submit("u", spec(1), ""));
                    }
                  }));
    }
    for (Thread thread : flood) {
      thread.join();
    }
    assertThat(sent.stream().filter(f -> !f.isDone())).hasSize(SubmissionGate.ROOM);
    assertThat(sent.stream().filter(CompletableFuture::isDone))
        .hasSize(threads * each - SubmissionGate.ROOM)
        .allSatisfy(
            refused ->
                assertThatThrownBy(refused::join)
                    .hasCauseInstanceOf(PoolUnavailableException.class));

    store.resume();
    long accepted =
        sent.stream()
            .filter(f -> !f.isCompletedExceptionally())
            .map(CompletableFuture::join)
            .distinct()
            .count();
    assertThat(accepted).isEqualTo(SubmissionGate.ROOM);
    assertThat(jobs.submit("u", spec(1), "").join().fresh()).isTrue();
  }

  @Test
  void large_jobs_take_more_room_than_small_ones() {
    store.stall();
    JobSpec large = listing(2_000_000);
    assertThat(jobs.submit("u", large, "")).isNotDone();
    assertThat(jobs.submit("u", large, "")).isNotDone();
    assertThat(jobs.submit("u", large, "")).isCompletedExceptionally();
    store.resume();
  }

  @Test
  void no_agent_counts_as_silent_while_its_sign_of_life_waits_in_the_inbox() {
    hello(List.of());
    jobs.submit("u", spec(1), "").join();
    await().until(() -> agents.assigned.size() == 1);
    List<Lease> held = List.of(agents.assigned.getFirst());
    store.stall();
    var _ = jobs.submit("u", spec(1), "");
    for (int i = 0; i < 20_000; i++) {
      loop.tell((pool, nowMillis, out) -> {});
    }
    loop.tell((pool, nowMillis, out) -> pool.scheduler().onSignOfLife(nowMillis, AGENT, held, out));

    aheadMillis.set(2 * SchedulerSettings.defaults().leaseMillis());
    store.resume();
    assertThat(loop.ask(pool -> pool.scheduler().view().leases(AGENT)).join()).isEqualTo(held);
  }
}
