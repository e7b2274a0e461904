package dev.imker.store;

import static dev.imker.store.Samples.AGENT;
import static dev.imker.store.Samples.NODE;
import static dev.imker.store.Samples.OTHER_AGENT;
import static dev.imker.store.Samples.OTHER_NODE;
import static dev.imker.store.Samples.copy;
import static dev.imker.store.Samples.done;
import static dev.imker.store.Samples.doneWith;
import static dev.imker.store.Samples.ended;
import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.settled;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must do with changes and tell on recovery. */
public abstract class PoolStoreContract {
  static final TaskId TASK = TaskId.of(1, 0);

  PoolStore store;

  /** Opens the store of this test: empty at first, then with what was committed before. */
  public abstract PoolStore open();

  @BeforeEach
  void open_store() {
    store = open();
  }

  @AfterEach
  void close_store() {
    store.close();
  }

  void reopen() {
    store.close();
    store = open();
  }

  void commit(Change... changes) {
    store.commit(List.of(changes));
  }

  Recovered recoveredAfterRestart() {
    reopen();
    return Recovered.of(store);
  }

  @Test
  void epochs_grow_with_every_start() {
    long first = store.beginEpoch();
    reopen();
    long second = store.beginEpoch();
    assertThat(first).isPositive();
    assertThat(second).isGreaterThan(first);
  }

  @Test
  void empty_store_tells_nothing() {
    assertThat(store.lastJobId()).isZero();
    assertThat(recoveredAfterRestart().jobs).isEmpty();
  }

  @Test
  void commit_of_nothing_is_allowed() {
    commit();
    assertThat(store.lastJobId()).isZero();
  }

  @Test
  void job_comes_back_as_it_was_submitted() {
    JobId id = new JobId(7);
    commit(new JobAdded(id, "eva", Samples.richSpec(), 15, 1234, "key-1", "session-1"));
    Recovered recovered = recoveredAfterRestart();
    assertThat(store.lastJobId()).isEqualTo(7);
    assertThat(recovered.specs).containsExactly(Map.entry(7L, Samples.richSpec()));
    assertThat(store.reads().spec(id)).contains(Samples.richSpec());
    JobRecord job = recovered.jobOf(7L);
    assertThat(job).usingRecursiveComparison().isEqualTo(store.reads().job(id).orElseThrow());
    assertThat(job.project().toString()).isEqualTo("eva/wetter");
    assertThat(job.command()).isEqualTo(Samples.richSpec().stages().getFirst().command());
    assertThat(job.taskCount()).isEqualTo(15);
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.submittedMillis()).isEqualTo(1234);
    assertThat(job.requestKey()).isEqualTo("key-1");
    assertThat(job.session()).isEqualTo("session-1");
    assertThat(job.isSettled()).isFalse();
  }

  @Test
  void tasks_in_their_initial_state_are_not_told() {
    commit(job(1, "big", 1_000_000));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.jobs).hasSize(1);
    assertThat(recovered.tasks).isEmpty();
    assertThat(store.reads().task(TASK)).isEmpty();
  }

  @Test
  void running_task_comes_back_with_its_lease() {
    commit(job(1, "a", 2), started(TASK, 11));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.tasks)
        .containsExactly(Map.entry(TASK, new Recovered.Task(TaskState.RUNNING, 0, 0, 1)));
    assertThat(recovered.leases)
        .containsExactly(new Recovered.Held(lease(11), AGENT, NODE, 1, 2011));
  }

  @Test
  void done_task_has_its_report_and_no_lease() {
    commit(job(1, "a", 2), started(TASK, 11));
    commit(doneWith(TASK, 11, Samples.richReport()));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.taskOf(TASK)).isEqualTo(new Recovered.Task(TaskState.DONE, 0, 0, 1));
    assertThat(recovered.leases).isEmpty();
    TaskRecord task = store.reads().task(TASK).orElseThrow();
    assertThat(task.changedMillis()).isEqualTo(3011);
    assertThat(task.last())
        .usingRecursiveComparison()
        .isEqualTo(
            new AttemptRecord(new LeaseToken(11), 1, AGENT, NODE, 2011, Samples.richReport()));
  }

  @Test
  void failed_attempt_is_kept_while_the_task_waits_for_the_next() {
    commit(job(1, "a", 1), started(TASK, 11));
    commit(ended(TASK, 11, AttemptOutcome.FAILED, TaskState.READY, 1, 0));
    assertThat(recoveredAfterRestart().taskOf(TASK))
        .isEqualTo(new Recovered.Task(TaskState.READY, 1, 0, 1));
    assertThat(store.reads().task(TASK).orElseThrow().last()).isNull();
    commit(started(TASK, 12, 2));
    commit(ended(TASK, 12, AttemptOutcome.SUCCEEDED, TaskState.DONE, 1, 0));
    assertThat(outcomes()).containsExactly("11 FAILED", "12 SUCCEEDED");
    assertThat(recoveredAfterRestart().taskOf(TASK))
        .isEqualTo(new Recovered.Task(TaskState.DONE, 1, 0, 2));
  }

  @Test
  void report_of_an_attempt_that_settled_nothing_is_kept() {
    commit(job(1, "a", 1), started(TASK, 11));
    commit(
        new AttemptEnded(
            TASK, new LeaseToken(11), Samples.richReport(), TaskState.READY, 1, 0, 3011));
    assertThat(store.reads().attempts(TASK))
        .usingRecursiveComparison()
        .isEqualTo(
            List.of(
                new AttemptRecord(new LeaseToken(11), 1, AGENT, NODE, 2011, Samples.richReport())));
  }

  @Test
  void changes_of_one_task_in_one_commit_apply_in_order() {
    commit(
        job(1, "a", 2),
        started(TASK, 11),
        ended(TASK, 11, AttemptOutcome.LOST, TaskState.READY, 0, 1),
        started(TASK, 12, 2),
        ended(TASK, 12, AttemptOutcome.FAILED, TaskState.READY, 1, 1),
        started(TASK, 13, 3));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.taskOf(TASK)).isEqualTo(new Recovered.Task(TaskState.RUNNING, 1, 1, 3));
    assertThat(recovered.leases).extracting(Recovered.Held::lease).containsExactly(lease(13));
    assertThat(outcomes()).containsExactly("11 LOST", "12 FAILED", "13 running");
  }

  @Test
  void an_attempt_that_goes_on_after_it_was_lost_has_the_outcome_that_came_last() {
    commit(job(1, "a", 1), started(TASK, 11));
    commit(ended(TASK, 11, AttemptOutcome.LOST, TaskState.READY, 0, 1));
    commit(started(TASK, 11, 2));
    assertThat(recoveredAfterRestart().leases)
        .extracting(Recovered.Held::lease)
        .containsExactly(lease(11));
    commit(ended(TASK, 11, AttemptOutcome.FAILED, TaskState.READY, 1, 0));
    assertThat(outcomes()).containsExactly("11 FAILED");
    commit(started(TASK, 12, 3), done(TASK, 12));
    assertThat(outcomes()).containsExactly("11 FAILED", "12 SUCCEEDED");
  }

  @Test
  void copies_of_a_task_come_back_with_all_their_leases() {
    commit(job(1, "a", 1), started(TASK, 11), copy(TASK, 12, 2));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.taskOf(TASK).attempts()).isEqualTo(2);
    assertThat(recovered.leases)
        .containsExactly(
            new Recovered.Held(lease(11), AGENT, NODE, 1, 2011),
            new Recovered.Held(lease(12), OTHER_AGENT, OTHER_NODE, 2, 2012));
  }

  @Test
  void copy_that_wins_is_the_attempt_of_record() {
    commit(job(1, "a", 1), started(TASK, 11), copy(TASK, 12, 2));
    commit(done(TASK, 12));
    AttemptRecord last = lastAttempt();
    assertThat(last.agent()).isEqualTo(OTHER_AGENT);
    assertThat(recoveredAfterRestart().leases).isEmpty();
    commit(ended(TASK, 11, AttemptOutcome.STOPPED, TaskState.DONE, 0, 0));
    assertThat(outcomes()).containsExactly("11 STOPPED", "12 SUCCEEDED");
    assertThat(lastAttempt()).usingRecursiveComparison().isEqualTo(last);
  }

  @Test
  void copy_that_is_left_goes_on_alone() {
    commit(job(1, "a", 1), started(TASK, 11), copy(TASK, 12, 2));
    commit(ended(TASK, 11, AttemptOutcome.LOST, TaskState.RUNNING, 0, 1));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.taskOf(TASK)).isEqualTo(new Recovered.Task(TaskState.RUNNING, 0, 1, 2));
    assertThat(recovered.leases)
        .containsExactly(new Recovered.Held(lease(12), OTHER_AGENT, OTHER_NODE, 2, 2012));
    commit(ended(TASK, 12, AttemptOutcome.SUCCEEDED, TaskState.DONE, 0, 1));
    assertThat(outcomes()).containsExactly("11 LOST", "12 SUCCEEDED");
  }

  @Test
  void copy_may_end_before_the_first_attempt() {
    commit(job(1, "a", 1), started(TASK, 11), copy(TASK, 12, 2));
    commit(ended(TASK, 12, AttemptOutcome.FAILED, TaskState.RUNNING, 1, 0));
    assertThat(recoveredAfterRestart().leases)
        .containsExactly(new Recovered.Held(lease(11), AGENT, NODE, 1, 2011));
    commit(ended(TASK, 11, AttemptOutcome.FAILED, TaskState.AUTO_BLOCKED, 2, 0));
    assertThat(outcomes()).containsExactly("11 FAILED", "12 FAILED");
    assertThat(store.reads().task(TASK).orElseThrow().state()).isEqualTo(TaskState.AUTO_BLOCKED);
  }

  @Test
  void released_task_keeps_the_attempt_that_had_settled_it() {
    commit(job(1, "a", 1), started(TASK, 11));
    commit(ended(TASK, 11, AttemptOutcome.FAILED, TaskState.AUTO_BLOCKED, 5, 0));
    commit(new TaskChanged(TASK, TaskState.READY, 0, 0, 4000));
    TaskRecord task = store.reads().task(TASK).orElseThrow();
    assertThat(task).isEqualTo(new TaskRecord(TASK, TaskState.READY, 0, 0, 1, 4000, "", null));
    commit(started(TASK, 12, 2), done(TASK, 12));
    assertThat(outcomes()).containsExactly("11 FAILED", "12 SUCCEEDED");
  }

  @Test
  void task_may_be_settled_without_any_attempt() {
    commit(job(1, "a", 2), new TaskChanged(TASK, TaskState.CANCELLED, 0, 0, 4000));
    assertThat(recoveredAfterRestart().tasks)
        .containsExactly(Map.entry(TASK, new Recovered.Task(TaskState.CANCELLED, 0, 0, 0)));
    assertThat(store.reads().attempts(TASK)).isEmpty();
  }

  @Test
  void run_of_tasks_changes_like_its_tasks() {
    TaskId other = TaskId.of(1, 2);
    commit(
        job(1, "a", 10),
        started(TASK, 11),
        ended(TASK, 11, AttemptOutcome.FAILED, TaskState.FAILED, 1, 0),
        started(other, 12),
        new TasksChanged(new JobId(1), 3, 6, TaskState.CANCELLED, 0, 0, 4000),
        new TasksChanged(new JobId(1), 7, 7, TaskState.CANCELLED, 0, 0, 4000));
    assertThat(recoveredAfterRestart().tasks)
        .containsOnlyKeys(TASK, other, TaskId.of(1, 3), TaskId.of(1, 4), TaskId.of(1, 5));
    commit(new TasksChanged(new JobId(1), 0, 2, TaskState.READY, 0, 0, 5000));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.taskOf(TASK)).isEqualTo(new Recovered.Task(TaskState.READY, 0, 0, 1));
    assertThat(recovered.taskOf(TaskId.of(1, 1)).state()).isEqualTo(TaskState.READY);
    assertThat(recovered.taskOf(other).state()).isEqualTo(TaskState.RUNNING);
    assertThat(recovered.taskOf(TaskId.of(1, 3)).state()).isEqualTo(TaskState.CANCELLED);
    assertThat(store.reads().task(TASK).orElseThrow().last()).isNull();
    assertThat(outcomes()).containsExactly("11 FAILED");
  }

  @Test
  void blocked_while_running_is_blocked_after_recovery() {
    commit(job(1, "a", 1), started(TASK, 11));
    commit(ended(TASK, 11, AttemptOutcome.STOPPED, TaskState.BLOCKED, 0, 0));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.taskOf(TASK).state()).isEqualTo(TaskState.BLOCKED);
    assertThat(recovered.leases).isEmpty();
  }

  @Test
  void settled_job_is_loaded_only_when_asked_for() {
    commit(job(1, "a", 1), started(TASK, 11), done(TASK, 11), job(2, "b", 1));
    commit(settled(1, Map.of(TaskState.DONE, 1)));
    assertThat(recoveredAfterRestart().jobs).containsOnlyKeys(2L);
    Recovered one = new Recovered();
    assertThat(store.load(new JobId(1), one)).isTrue();
    assertThat(one.jobOf(1L).settledMillis()).isEqualTo(9001);
    assertThat(one.tasks).containsOnlyKeys(TASK);
    assertThat(store.load(new JobId(99), one)).isFalse();
  }

  @Test
  void job_that_is_opened_again_is_live_again() {
    commit(job(1, "a", 1), settled(1, Map.of(TaskState.FAILED, 1)));
    int[] counts = Samples.counts(Map.of(TaskState.READY, 1));
    commit(new JobChanged(new JobId(1), counts, JobChanged.OPEN, 9));
    JobRecord job = recoveredAfterRestart().jobOf(1L);
    assertThat(job.isSettled()).isFalse();
    assertThat(job.priority()).isEqualTo(9);
    assertThat(job.countsByState()).isEqualTo(counts);
  }

  @Test
  void end_of_an_attempt_that_never_started_is_refused() {
    commit(job(1, "a", 2), started(TASK, 11));
    assertThatThrownBy(() -> commit(done(TASK, 99))).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> commit(done(TaskId.of(1, 1), 99)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("1.2");
    assertThat(recoveredAfterRestart().leases)
        .extracting(Recovered.Held::lease)
        .containsExactly(lease(11));
  }

  @Test
  void failed_commit_leaves_nothing_and_the_store_usable() {
    commit(job(1, "a", 5));
    Change newAgent = Samples.seen(OTHER_NODE, OTHER_AGENT, true, 1);
    assertThatThrownBy(
            () -> commit(newAgent, copy(TASK, 11, 1), job(2, "b", 1), job(1, "again", 1)))
        .isInstanceOf(StoreException.class);
    assertThat(store.lastJobId()).isEqualTo(1);
    assertThat(store.reads().task(TASK)).isEmpty();
    assertThat(store.reads().nodes()).isEmpty();
    commit(copy(TASK, 12, 1), newAgent);
    assertThat(recoveredAfterRestart().leases)
        .containsExactly(new Recovered.Held(lease(12), OTHER_AGENT, OTHER_NODE, 1, 2012));
    assertThat(store.reads().nodes()).hasSize(1);
  }

  @Test
  void request_key_is_unique() {
    commit(new JobAdded(new JobId(1), "eva", Samples.spec("a", 1), 1, 1, "key"));
    assertThatThrownBy(
            () -> commit(new JobAdded(new JobId(2), "eva", Samples.spec("b", 1), 1, 1, "key")))
        .isInstanceOf(StoreException.class);
    commit(job(3, "without key", 1), job(4, "without key", 1));
    assertThat(store.reads().byRequestKey("key").orElseThrow().id()).isEqualTo(new JobId(1));
    assertThat(store.reads().byRequestKey("")).isEmpty();
  }

  @Test
  void settings_are_kept() {
    assertThat(store.setting("token")).isEmpty();
    store.putSetting("token", "one");
    store.putSetting("token", "two");
    reopen();
    assertThat(store.setting("token")).contains("two");
  }

  @Test
  void random_histories_come_back_exactly() {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    System.out.println("imker.seed=" + seed + " (set it to repeat this history)");
    Random random = new Random(seed);
    RandomHistory history = new RandomHistory(random, 40);
    commit(job(1, "a", 40));
    for (int i = 0; i < 100; i++) {
      store.commit(history.next(1 + random.nextInt(60)));
      if (i % 20 == 19) {
        check(history, recoveredAfterRestart());
      }
    }
  }

  private void check(RandomHistory history, Recovered recovered) {
    Map<TaskId, List<Long>> running = new HashMap<>();
    recovered.leases.forEach(
        held ->
            running
                .computeIfAbsent(held.lease().task(), task -> new ArrayList<>())
                .add(held.lease().token().value()));
    history.lives.forEach(
        (task, life) -> {
          assertThat(recovered.taskOf(task))
              .as("task %s", task)
              .isEqualTo(new Recovered.Task(life.state, life.failures, life.losses, life.attempts));
          assertThat(running.getOrDefault(task, List.of()))
              .containsExactlyInAnyOrderElementsOf(life.running);
          List<Long> all = new ArrayList<>(life.ended);
          all.addAll(life.running);
          assertThat(store.reads().attempts(task).stream().map(a -> a.token().value()))
              .containsExactlyElementsOf(all.stream().sorted().toList());
        });
    assertThat(recovered.tasks).hasSameSizeAs(history.lives);
  }

  private AttemptRecord lastAttempt() {
    return Objects.requireNonNull(store.reads().task(TASK).orElseThrow().last());
  }

  private List<String> outcomes() {
    return store.reads().attempts(TASK).stream()
        .map(
            attempt ->
                attempt.token().value()
                    + " "
                    + (attempt.report() == null ? "running" : attempt.report().outcome()))
        .toList();
  }

  private static Lease lease(long token) {
    return new Lease(TASK, new LeaseToken(token));
  }
}
