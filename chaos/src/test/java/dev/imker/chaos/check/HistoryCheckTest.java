package dev.imker.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.chaos.check.PoolWrites.EpochBegun;
import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.PoolWrites.Write;
import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A history in which all is well, and what is said when one thing in it is not. */
class HistoryCheckTest {
  private static final TaskId MAKE = TaskId.of(7, 0);
  private static final TaskId SUM = TaskId.of(7, 1);

  private final List<SubmittedJob> acknowledged =
      new ArrayList<>(
          List.of(new SubmittedJob("graph", new JobId(7), 2, Map.of(1, List.of(0)), true)));
  private final List<String> returned = new ArrayList<>(List.of("java-x"));
  private final List<FinalJob> jobs =
      new ArrayList<>(List.of(new FinalJob(new JobId(7), "graph", "DONE", 2)));
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
              write(22, "s2.1", SUM, TaskState.RUNNING, TaskState.DONE, 2, 1)));
  private final List<String> log =
      new ArrayList<>(
          List.of(
              "b " + word(MAKE, 1, 1),
              "e " + word(MAKE, 1, 1),
              "b java-x",
              "b " + word(SUM, 2, 1),
              "e " + word(SUM, 2, 1),
              "e java-x"));

  private static String word(TaskId task, long epoch, long lease) {
    return "%d-%d-%d.99"
        .formatted(task.job().value(), task.index(), LeaseToken.of(epoch, lease).value());
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
        LeaseToken.of(epoch, lease));
  }

  private List<Violation> check() {
    return HistoryCheck.of(
        new History(
            acknowledged,
            returned,
            jobs,
            tasks,
            new PoolWrites(epochs, writes, taskWrites),
            AttemptLog.of(log)));
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
    returned.add("java-y");
    assertBroken(Promise.RESULTS_ARE_OF_REAL_ATTEMPTS);
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
}
