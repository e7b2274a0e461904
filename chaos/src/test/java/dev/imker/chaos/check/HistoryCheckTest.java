package dev.imker.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.chaos.check.PoolWrites.EpochBegun;
import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.PoolWrites.Write;
import dev.imker.chaos.check.SubmittedJob.Ending;
import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A history in which all is well, and what is said when one thing in it is not. */
class HistoryCheckTest {
  private static final TaskId MAKE = TaskId.of(7, 0);
  private static final TaskId SUM = TaskId.of(7, 1);
  private static final String CALL = "java-9.1-1";

  private final List<SubmittedJob> acknowledged =
      new ArrayList<>(
          List.of(
              new SubmittedJob(
                  "graph", new JobId(7), 2, Map.of(1, List.of(0)), true, Ending.DONE)));
  private final Map<Integer, String> returned = new HashMap<>(Map.of(1, CALL));
  private final List<Told> told =
      new ArrayList<>(List.of(told(1_000, "RUNNING", 1), told(9_000, "DONE", 2)));
  private final Map<String, Boolean> dropped = new HashMap<>(Map.of("dropped", true));
  private boolean forgets;
  private final List<Noticed> notices = new ArrayList<>();
  private final Map<Long, Long> incarnations = new HashMap<>(Map.of(1L, 0xaL, 2L, 0xbL));
  private final List<FinalJob> jobs =
      new ArrayList<>(
          List.of(
              new FinalJob(new JobId(7), "graph", "DONE", 2),
              new FinalJob(new JobId(9), "java", "DONE", 1),
              new FinalJob(new JobId(10), "dropped", "DONE", 1)));
  private final List<FinalTask> tasks =
      new ArrayList<>(
          List.of(
              new FinalTask(MAKE, "DONE", List.of(word(MAKE, 1, 1))),
              new FinalTask(SUM, "DONE", List.of(word(SUM, 2, 1), word(MAKE, 1, 1)))));
  private final List<EpochBegun> epochs =
      new ArrayList<>(List.of(new EpochBegun(1, 0, "s1.1", 1), new EpochBegun(20, 0, "s2.1", 2)));
  private final List<Write> writes =
      new ArrayList<>(List.of(new Write(2, "s1.1", "job"), new Write(25, "s2.1", "job")));
  private final List<TaskWrite> taskWrites =
      new ArrayList<>(
          List.of(
              write(3, "s1.1", MAKE, null, TaskState.RUNNING, 1, 1),
              write(4, "s1.1", MAKE, TaskState.RUNNING, TaskState.DONE, 1, 1),
              write(21, "s2.1", SUM, null, TaskState.RUNNING, 2, 1),
              write(22, "s2.1", SUM, TaskState.RUNNING, TaskState.DONE, 2, 1),
              write(26, "s2.1", TaskId.of(9, 0), TaskState.RUNNING, TaskState.DONE, 2, 3),
              write(27, "s2.1", TaskId.of(10, 0), TaskState.RUNNING, TaskState.DONE, 2, 4)));
  private final List<String> log =
      new ArrayList<>(
          List.of(
              "b " + word(MAKE, 1, 1),
              "e " + word(MAKE, 1, 1),
              "b " + CALL,
              "b " + word(SUM, 2, 1),
              "e " + word(SUM, 2, 1),
              "e " + CALL));

  private static String word(TaskId task, long epoch, long lease) {
    return "%d-%d-%d-%s"
        .formatted(
            task.job().value(),
            task.index(),
            LeaseToken.of(epoch, lease).value(),
            epoch == 1 ? "a" : "b");
  }

  private static Told told(long atMillis, String status, int done) {
    return new Told("eva", atMillis, atMillis + 10, new JobId(7), status, done);
  }

  private static TaskWrite write(
      long order,
      String server,
      TaskId task,
      @Nullable TaskState before,
      TaskState state,
      long epoch,
      long lease) {
    return new TaskWrite(
        order,
        order,
        server,
        task,
        Optional.ofNullable(before),
        state,
        LeaseToken.of(epoch, lease),
        1);
  }

  private List<Violation> check() {
    return HistoryCheck.of(
        new History(
            acknowledged,
            returned,
            jobs,
            tasks,
            new PoolWrites(epochs, writes, taskWrites, incarnations),
            AttemptLog.of(log),
            told,
            dropped,
            notices,
            forgets));
  }

  private void assertBroken(Promise promise) {
    assertThat(check()).extracting(Violation::promise).contains(promise);
  }

  @Test
  void nothing_is_wrong_when_all_is_well() {
    assertThat(check()).isEmpty();
  }

  @Test
  void an_acknowledged_job_that_vanished_is_noticed() {
    jobs.clear();
    assertBroken(Promise.ACKNOWLEDGED_JOBS_FINISH);
  }

  @Test
  void a_job_that_does_not_end_is_noticed() {
    jobs.set(0, new FinalJob(new JobId(7), "graph", "LIVE", 2));
    assertBroken(Promise.ACKNOWLEDGED_JOBS_FINISH);
  }

  @Test
  void a_job_that_was_taken_twice_is_noticed() {
    jobs.add(new FinalJob(new JobId(8), "graph", "DONE", 2));
    assertBroken(Promise.JOBS_EXIST_ONCE);
  }

  @Test
  void a_task_without_a_result_is_noticed() {
    taskWrites.removeIf(write -> write.task().equals(SUM) && write.isResult());
    assertBroken(Promise.TASKS_HAVE_ONE_RESULT);
  }

  @Test
  void a_second_result_is_noticed() {
    taskWrites.add(write(30, "s2.1", MAKE, TaskState.RUNNING, TaskState.DONE, 2, 5));
    assertBroken(Promise.TASKS_HAVE_ONE_RESULT);
  }

  @Test
  void a_result_that_is_taken_back_is_noticed() {
    taskWrites.add(write(30, "s2.1", MAKE, TaskState.DONE, TaskState.READY, 1, 1));
    assertBroken(Promise.RESULTS_STAY);
  }

  @Test
  void a_result_that_no_attempt_made_is_noticed() {
    log.remove("e " + word(SUM, 2, 1));
    assertBroken(Promise.RESULTS_ARE_OF_REAL_ATTEMPTS);
  }

  @Test
  void a_result_of_another_attempt_than_the_one_that_was_committed_is_noticed() {
    log.add(2, "b " + word(MAKE, 1, 9));
    log.add(3, "e " + word(MAKE, 1, 9));
    tasks.set(0, new FinalTask(MAKE, "DONE", List.of(word(MAKE, 1, 9))));
    assertBroken(Promise.RESULTS_ARE_OF_REAL_ATTEMPTS);
  }

  @Test
  void a_call_that_returned_without_having_run_is_noticed() {
    returned.put(2, "java-9.1-7");
    assertBroken(Promise.RESULTS_ARE_OF_REAL_ATTEMPTS);
  }

  @Test
  void a_future_that_was_told_a_result_which_the_pool_does_not_have_is_noticed() {
    log.addAll(List.of("b java-14.1-1", "e java-14.1-1"));
    returned.put(1, "java-14.1-1");
    assertBroken(Promise.WHAT_WAS_TOLD_IS_TRUE);
  }

  @Test
  void two_futures_that_were_told_the_same_result_are_noticed() {
    returned.put(2, CALL);
    assertBroken(Promise.WHAT_WAS_TOLD_IS_TRUE);
  }

  @Test
  void a_client_that_was_told_an_end_which_is_not_true_is_noticed() {
    told.add(told(20_000, "CANCELLED", 2));
    assertBroken(Promise.WHAT_WAS_TOLD_IS_TRUE);
  }

  @Test
  void a_client_that_waited_and_got_no_answer_is_noticed() {
    told.add(Told.nothing("wait", 20_000, new JobId(7), "exit code 3"));
    assertBroken(Promise.WHAT_WAS_TOLD_IS_TRUE);
  }

  @Test
  void a_client_that_is_told_of_the_past_is_noticed() {
    told.add(told(60_000, "RUNNING", 1));
    assertBroken(Promise.NOBODY_IS_TOLD_OF_THE_PAST);
  }

  @Test
  void an_answer_may_be_as_old_as_a_standby_is() {
    told.add(told(9_500, "RUNNING", 1));
    assertThat(check()).isEmpty();
  }

  @Test
  void a_result_of_a_lease_from_before_a_restored_backup_is_noticed() {
    incarnations.put(2L, 0xcL);
    assertBroken(Promise.RESULTS_ARE_OF_REAL_ATTEMPTS);
  }

  @Test
  void a_dropped_file_that_is_not_shown_as_done_is_noticed() {
    dropped.put("dropped", false);
    assertBroken(Promise.DROPPED_FILES_ARE_DONE);
  }

  @Test
  void a_dropped_file_that_became_no_job_is_noticed() {
    dropped.put("another", true);
    assertBroken(Promise.DROPPED_FILES_ARE_DONE);
  }

  @Test
  void a_dropped_file_that_became_two_jobs_is_noticed() {
    jobs.add(new FinalJob(new JobId(11), "dropped", "DONE", 0));
    assertBroken(Promise.JOBS_EXIST_ONCE);
  }

  @Test
  void a_job_that_was_cancelled_may_have_tasks_that_are_cancelled_and_no_others() {
    acknowledged.add(new SubmittedJob("gone", new JobId(12), 1, Map.of(), false, Ending.CANCELLED));
    jobs.add(new FinalJob(new JobId(12), "gone", "CANCELLED", 1));
    tasks.add(new FinalTask(TaskId.of(12, 0), "CANCELLED", List.of()));
    assertThat(check()).isEmpty();
    tasks.set(2, new FinalTask(TaskId.of(12, 0), "READY", List.of()));
    assertBroken(Promise.TASKS_HAVE_ONE_RESULT);
  }

  @Test
  void a_job_that_is_cancelled_though_nobody_asked_for_it_is_noticed() {
    jobs.set(0, new FinalJob(new JobId(7), "graph", "CANCELLED", 2));
    assertBroken(Promise.ACKNOWLEDGED_JOBS_FINISH);
  }

  @Test
  void a_result_that_only_one_node_came_to_where_two_have_to_is_noticed() {
    TaskId task = TaskId.of(13, 0);
    acknowledged.add(new SubmittedJob("agreed", task.job(), 1, Map.of(), false, Ending.AGREED));
    jobs.add(new FinalJob(task.job(), "agreed", "DONE", 1));
    tasks.add(new FinalTask(task, "DONE", List.of("equal")));
    taskWrites.add(write(28, "s2.1", task, TaskState.RUNNING, TaskState.DONE, 2, 8));
    log.addAll(List.of("b " + word(task, 2, 7), "e " + word(task, 2, 7)));
    assertBroken(Promise.RESULTS_ARE_OF_REAL_ATTEMPTS);
    log.addAll(List.of("b " + word(task, 2, 8), "e " + word(task, 2, 8)));
    assertThat(check()).isEmpty();
  }

  @Test
  void an_attempt_that_began_twice_is_noticed() {
    log.addFirst("b " + word(MAKE, 1, 1));
    assertBroken(Promise.ATTEMPTS_RUN_ONCE);
  }

  @Test
  void an_attempt_before_the_end_of_its_predecessor_is_noticed() {
    log.addFirst("b " + word(SUM, 1, 4));
    assertBroken(Promise.DEPENDENCIES_ARE_RESPECTED);
  }

  @Test
  void inputs_that_are_not_the_results_of_the_predecessors_are_noticed() {
    tasks.set(1, new FinalTask(SUM, "DONE", List.of(word(SUM, 2, 1), word(MAKE, 1, 9))));
    assertBroken(Promise.DEPENDENCIES_ARE_RESPECTED);
  }

  @Test
  void a_write_of_a_deposed_leader_is_noticed() {
    writes.add(new Write(23, "s1.1", "attempt"));
    assertBroken(Promise.DEPOSED_LEADERS_WRITE_NOTHING);
  }

  @Test
  void a_result_written_by_the_former_life_of_the_leader_is_noticed() {
    taskWrites.set(3, write(22, "s2.0", SUM, TaskState.RUNNING, TaskState.DONE, 2, 1));
    assertBroken(Promise.DEPOSED_LEADERS_WRITE_NOTHING);
  }

  @Test
  void an_epoch_that_was_begun_twice_is_noticed() {
    epochs.add(new EpochBegun(40, 0, "s1.1", 2));
    assertBroken(Promise.ONE_LEADER_AN_EPOCH);
  }

  @Test
  void a_notice_that_came_twice_or_not_at_all_is_found() {
    notices.add(new Noticed(new JobId(7), List.of("SENT"), 1));
    notices.add(new Noticed(new JobId(7), List.of("GIVEN_UP"), 0));
    assertThat(check()).isEmpty();
    for (Noticed wrong :
        List.of(
            new Noticed(new JobId(7), List.of("SENT"), 2),
            new Noticed(new JobId(7), List.of("SENT"), 0),
            new Noticed(new JobId(7), List.of("WAITING"), 0),
            new Noticed(new JobId(7), List.of("SENT", "SENT"), 1),
            new Noticed(new JobId(7), List.of(), 0))) {
      notices.add(wrong);
      assertBroken(Promise.NOTICES_COME_ONCE);
      notices.remove(wrong);
    }
  }

  @Test
  void an_attempt_that_a_restored_backup_does_not_know_may_have_come_before() {
    log.addFirst("b " + word(SUM, 1, 9));
    assertBroken(Promise.DEPENDENCIES_ARE_RESPECTED);
    forgets = true;
    assertThat(check()).isEmpty();
  }

  @Test
  void a_spawned_job_may_be_cancelled_with_the_attempt_that_spawned_it_only() {
    TaskId call = TaskId.of(9, 0);
    Lease lost = new Lease(call, LeaseToken.of(1, 9));
    jobs.add(new FinalJob(new JobId(17), "java-sub", "CANCELLED", 1, Optional.of(lost)));
    assertThat(check()).isEmpty();
    Lease committed = new Lease(call, LeaseToken.of(2, 3));
    jobs.add(new FinalJob(new JobId(18), "java-sub", "CANCELLED", 1, Optional.of(committed)));
    assertBroken(Promise.ACKNOWLEDGED_JOBS_FINISH);
  }

  /** A job of which two tasks were done and then undone, the last one first. */
  private void rolledBack() {
    TaskId first = TaskId.of(15, 0);
    TaskId second = TaskId.of(15, 1);
    jobs.add(new FinalJob(first.job(), "undone1", "FAILED", 3));
    taskWrites.addAll(
        List.of(
            write(3_000, "s2.1", first, TaskState.RUNNING, TaskState.DONE, 2, 11),
            write(6_000, "s2.1", second, TaskState.RUNNING, TaskState.DONE, 2, 12),
            write(7_000, "s2.1", second, TaskState.DONE, TaskState.RUNNING, 2, 13),
            write(8_000, "s2.1", second, TaskState.RUNNING, TaskState.CANCELLED, 2, 13),
            write(8_001, "s2.1", first, TaskState.DONE, TaskState.READY, 2, 14),
            write(9_000, "s2.1", first, TaskState.RUNNING, TaskState.CANCELLED, 2, 14)));
    log.addAll(List.of("u 15.2", "u 15.2", "v 15.2", "u 15.1", "v 15.1"));
  }

  @Test
  void a_job_that_is_rolled_back_in_order_is_well() {
    rolledBack();
    assertThat(check()).isEmpty();
  }

  /** Tasks that begin at once and end later, one after the other. */
  private void licensed(int tasks) {
    jobs.add(new FinalJob(new JobId(16), Licences.LICENSED + "1", "DONE", tasks));
    for (int i = 0; i < tasks; i++) {
      TaskId task = TaskId.of(16, i);
      taskWrites.add(write(20_000 + i, "s2.1", task, null, TaskState.RUNNING, 2, 30 + i));
    }
    for (int i = 0; i < tasks; i++) {
      TaskId task = TaskId.of(16, i);
      taskWrites.add(
          write(22_000 + i, "s2.1", task, TaskState.RUNNING, TaskState.READY, 2, 30 + i));
    }
  }

  @Test
  void as_many_tasks_as_there_are_licences_are_well() {
    licensed(Licences.AMOUNT);
    assertThat(check()).extracting(Violation::promise).doesNotContain(Promise.AMOUNTS_ARE_KEPT);
  }

  @Test
  void a_task_that_runs_without_a_licence_is_noticed() {
    licensed(Licences.AMOUNT + 1);
    assertBroken(Promise.AMOUNTS_ARE_KEPT);
  }

  @Test
  void a_failed_job_whose_task_was_not_undone_is_noticed() {
    rolledBack();
    taskWrites.removeIf(write -> write.order() >= 8_001);
    assertBroken(Promise.FAILED_JOBS_ARE_UNDONE);
  }

  @Test
  void a_task_that_is_said_to_be_undone_and_was_not_is_noticed() {
    rolledBack();
    log.remove("v 15.1");
    assertBroken(Promise.FAILED_JOBS_ARE_UNDONE);
  }

  @Test
  void a_task_that_is_undone_before_a_later_one_is_noticed() {
    rolledBack();
    log.remove("u 15.1");
    log.add(log.indexOf("v 15.2"), "u 15.1");
    assertBroken(Promise.FAILED_JOBS_ARE_UNDONE);
  }

  @Test
  void a_task_that_is_undone_twice_is_noticed() {
    rolledBack();
    taskWrites.add(
        write(9_500, "s2.1", TaskId.of(15, 0), TaskState.CANCELLED, TaskState.RUNNING, 2, 15));
    assertBroken(Promise.FAILED_JOBS_ARE_UNDONE);
  }

  @Test
  void a_job_that_is_rolled_back_and_does_not_fail_is_noticed() {
    rolledBack();
    jobs.set(jobs.size() - 1, new FinalJob(new JobId(15), "undone1", "DONE", 2));
    assertBroken(Promise.ACKNOWLEDGED_JOBS_FINISH);
  }

  @Test
  void the_tasks_of_a_job_that_restarts_have_two_results_at_most() {
    TaskId task = TaskId.of(16, 0);
    jobs.add(new FinalJob(task.job(), "restarted2", "DONE", 1));
    for (int i = 0; i < 2; i++) {
      taskWrites.add(write(20 + i, "s2.1", task, TaskState.DONE, TaskState.DONE, 0, 0));
      taskWrites.add(write(30 + i, "s2.1", task, TaskState.DONE, TaskState.READY, 2, 20 + i));
      taskWrites.add(write(40 + i, "s2.1", task, TaskState.RUNNING, TaskState.DONE, 2, 20 + i));
    }
    assertThat(check()).isEmpty();
    taskWrites.add(write(50, "s2.1", task, TaskState.DONE, TaskState.READY, 2, 30));
    assertBroken(Promise.RESULTS_STAY);
    taskWrites.add(write(51, "s2.1", task, TaskState.RUNNING, TaskState.DONE, 2, 30));
    assertBroken(Promise.TASKS_HAVE_ONE_RESULT);
  }

  private void share(String... lines) {
    log.addAll(2, List.of(lines));
  }

  private static final String[] SHARED = {
    "c x", "c y", "C y 1", "C x 2", "p x x/2", "p y y/1", "l x 7", "t x y/1", "m x 7", "l y 9",
    "t y x/2", "m y 9"
  };

  @Test
  void what_tasks_share_may_be_shared_in_any_order() {
    share(SHARED);
    assertThat(check()).isEmpty();
  }

  @Test
  void who_keeps_what_tasks_share_from_now_on_begins_with_nothing() {
    share("c x", "C x 1", "c y", "x", "C y 1");
    assertThat(check()).isEmpty();
  }

  @Test
  void who_keeps_what_tasks_share_from_now_on_counts_right_as_well() {
    share("c x", "C x 1", "x", "c y", "C y 1", "c z", "C z 1");
    assertThat(check()).singleElement().asString().contains("both counted to 1");
  }

  @ParameterizedTest
  @CsvSource({
    "C x 2, C x 1, both counted to 1",
    "C x 2, C x 3, was counted to by 2 additions",
    "t y x/2, t y y/1, was given to x and to y",
    "t y x/2, t y z/3, which nobody has put",
    "l y 9, l y 7, both held the lock as 7"
  })
  void what_is_shared_and_not_exact_is_found(String line, String mutated, String said) {
    String[] lines = SHARED.clone();
    lines[List.of(SHARED).indexOf(line)] = mutated;
    share(lines);
    assertThat(check())
        .allSatisfy(
            violation ->
                assertThat(violation.promise()).isEqualTo(Promise.WHAT_TASKS_SHARE_IS_EXACT))
        .anySatisfy(violation -> assertThat(violation.what()).contains(said));
  }

  @Test
  void a_lock_that_somebody_got_while_another_held_it_is_found() {
    log.addAll(3, List.of("l " + CALL + " 7", "l other 8", "m other 8", "m " + CALL + " 7"));
    assertThat(check())
        .extracting(Violation::what)
        .anySatisfy(what -> assertThat(what).contains("other got the lock while " + CALL));
  }
}
