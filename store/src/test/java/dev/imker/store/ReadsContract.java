package dev.imker.store;

import static dev.imker.store.Samples.AGENT;
import static dev.imker.store.Samples.NODE;
import static dev.imker.store.Samples.OTHER_AGENT;
import static dev.imker.store.Samples.OTHER_NODE;
import static dev.imker.store.Samples.copy;
import static dev.imker.store.Samples.doneWith;
import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.settled;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must answer. */
public abstract class ReadsContract {
  PoolStore store;
  Reads reads;

  /** Opens an empty store. */
  public abstract PoolStore open();

  @BeforeEach
  void open_store() {
    store = open();
    reads = store.reads();
  }

  @AfterEach
  void close_store() {
    store.close();
  }

  @Test
  void unknown_things_are_absent() {
    assertThat(reads.job(new JobId(1))).isEmpty();
    assertThat(reads.spec(new JobId(1))).isEmpty();
    assertThat(reads.newestByName("x")).isEmpty();
    assertThat(reads.task(TaskId.of(1, 0))).isEmpty();
    assertThat(reads.attempts(TaskId.of(1, 0))).isEmpty();
    assertThat(reads.tasks(TaskQuery.all(new JobId(1)))).isEmpty();
    assertThat(reads.nodes()).isEmpty();
    assertThat(reads.settledTaskCounts()).containsOnly(0);
  }

  @Test
  void jobs_are_sorted_page_by_page_whatever_the_order() {
    for (int id = 1; id <= 7; id++) {
      commit(job(id, "job" + (id * 3 % 4), 1));
    }
    for (JobOrder.Key key : JobOrder.Key.values()) {
      for (boolean descending : new boolean[] {false, true}) {
        JobOrder order = new JobOrder(key, descending);
        List<JobId> all =
            reads.jobs(JobFilter.ALL, order, null, 100).stream().map(JobRecord::id).toList();
        List<JobId> seen = new ArrayList<>();
        List<JobRecord> page = reads.jobs(JobFilter.ALL, order, null, 2);
        while (!page.isEmpty()) {
          page.forEach(job -> seen.add(job.id()));
          String cursor = order.text(order.placeOf(page.getLast()));
          page = reads.jobs(JobFilter.ALL, order, order.parse(cursor), 2);
        }
        assertThat(seen).as(order.toString()).hasSize(7).isEqualTo(all);
      }
    }
    assertThat(reads.jobs(JobFilter.ALL, new JobOrder(JobOrder.Key.NAME, false), null, 9))
        .extracting(JobRecord::name)
        .isSorted();
  }

  @Test
  void tasks_are_fetched_by_position() {
    commit(job(1, "job", 5), started(TaskId.of(1, 1), 7), started(TaskId.of(1, 3), 8));
    assertThat(reads.tasks(new JobId(1), List.of(3, 0, 1), false))
        .extracting(task -> task.id().index())
        .containsExactly(1, 3);
    List<Integer> told = new ArrayList<>();
    reads.forEachTask(
        new JobId(1), (index, state, attempts, startedMillis, endedMillis) -> told.add(index));
    assertThat(told).containsExactly(1, 3);
  }

  @Test
  void failed_tasks_that_ran_are_told_from_those_that_never_could() {
    TaskId ran = TaskId.of(1, 0);
    commit(job(1, "job", 3), job(2, "other", 1), started(ran, 7), started(TaskId.of(2, 0), 8));
    commit(
        Samples.ended(ran, 7, AttemptOutcome.FAILED, TaskState.FAILED, 1, 0),
        Samples.ended(TaskId.of(2, 0), 8, AttemptOutcome.FAILED, TaskState.FAILED, 1, 0),
        new TaskChanged(TaskId.of(1, 1), TaskState.FAILED, 0, 0, 1));
    assertThat(reads.failedThatRan(new JobId(1))).isEqualTo(1);
  }

  @Test
  void attempts_of_a_job_are_told_with_their_nodes_and_times() {
    TaskId twice = TaskId.of(1, 1);
    commit(job(1, "job", 3), started(twice, 7));
    commit(Samples.ended(twice, 7, AttemptOutcome.FAILED, TaskState.READY, 1, 0));
    commit(started(twice, 9, 2), started(TaskId.of(1, 2), 8));
    commit(Samples.done(twice, 9));
    List<String> told = new ArrayList<>();
    reads.forEachAttempt(
        new JobId(1),
        (index, state, node, startedMillis, endedMillis) ->
            told.add(index + " " + state + " " + node + " " + (endedMillis > 0)));
    assertThat(told)
        .containsExactly(
            "1 DONE " + NODE.value() + " true",
            "2 RUNNING " + NODE.value() + " false",
            "1 null " + NODE.value() + " true");
  }

  @Test
  void results_of_a_node_that_no_other_has_confirmed_are_found() {
    TaskId lone = TaskId.of(1, 0);
    TaskId compared = TaskId.of(1, 1);
    commit(job(1, "job", 4), job(2, "old", 1), job(3, "open", 1));
    commit(started(lone, 7), started(compared, 8), copy(TaskId.of(1, 2), 9, 1));
    commit(
        Samples.done(lone, 7),
        Samples.ended(compared, 8, AttemptOutcome.SUCCEEDED, TaskState.READY, 0, 0),
        Samples.done(TaskId.of(1, 2), 9));
    commit(started(compared, 10, 2), started(TaskId.of(2, 0), 11), started(TaskId.of(3, 0), 12));
    commit(
        Samples.done(compared, 10),
        Samples.done(TaskId.of(2, 0), 11),
        Samples.done(TaskId.of(3, 0), 12),
        settled(1, Map.of(TaskState.DONE, 4)),
        settled(2, Map.of(TaskState.DONE, 1)));
    assertThat(reads.unconfirmed(NODE, 9001, 10))
        .containsExactly(TaskId.of(3, 0), TaskId.of(2, 0), lone);
    assertThat(reads.unconfirmed(NODE, 9002, 10)).containsExactly(TaskId.of(3, 0), TaskId.of(2, 0));
    assertThat(reads.unconfirmed(NODE, 9001, 1)).containsExactly(TaskId.of(3, 0));
    assertThat(reads.unconfirmed(OTHER_NODE, 0, 10)).containsExactly(TaskId.of(1, 2));
  }

  @Test
  void jobs_are_listed_newest_first_page_by_page() {
    for (int id = 1; id <= 7; id++) {
      commit(job(id, "job", 1));
    }
    List<Long> seen = new ArrayList<>();
    List<JobRecord> page = reads.jobs(JobFilter.ALL, null, 3);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(3);
      page.forEach(job -> seen.add(job.id().value()));
      page = reads.jobs(JobFilter.ALL, page.getLast().id(), 3);
    }
    assertThat(seen).containsExactly(7L, 6L, 5L, 4L, 3L, 2L, 1L);
  }

  @Test
  void jobs_are_filtered_by_name_project_user_and_status() {
    commit(
        added(1, "a", "red", "eva"),
        added(2, "b", "red", "eva"),
        added(3, "a", "blue", "eva"),
        added(4, "a", "red", "tom"),
        added(5, "a", "red", "eva"),
        settled(1, Map.of(TaskState.DONE, 1)),
        settled(2, Map.of(TaskState.FAILED, 1)),
        settled(3, Map.of(TaskState.CANCELLED, 1)));
    assertThat(ids(JobFilter.ALL.withName("a"))).containsExactly(5L, 4L, 3L, 1L);
    assertThat(ids(JobFilter.ALL.withProject("red"))).containsExactly(5L, 4L, 2L, 1L);
    assertThat(ids(JobFilter.ALL.withUser("tom"))).containsExactly(4L);
    assertThat(ids(JobFilter.ALL.withUser("nobody"))).isEmpty();
    assertThat(ids(JobFilter.ALL.withStatuses(Set.of(JobStatus.DONE)))).containsExactly(1L);
    assertThat(ids(JobFilter.ALL.withStatuses(Set.of(JobStatus.FAILED, JobStatus.CANCELLED))))
        .containsExactly(3L, 2L);
    assertThat(ids(JobFilter.ALL.withStatuses(Set.of(JobStatus.RUNNING)))).containsExactly(5L, 4L);
    JobFilter all = JobFilter.ALL.withName("a").withProject("red").withUser("eva");
    assertThat(ids(all.withStatuses(Set.of(JobStatus.QUEUED, JobStatus.WAITING))))
        .containsExactly(5L);
  }

  @Test
  void newest_job_of_a_name_is_found() {
    commit(job(1, "a", 1), job(2, "a", 1), job(3, "b", 1));
    assertThat(reads.newestByName("a").orElseThrow().id()).isEqualTo(new JobId(2));
  }

  @Test
  void recent_names_are_told_once_each() {
    commit(job(1, "a", 1), job(2, "b", 1), job(3, "a", 1), job(4, "c", 1));
    assertThat(reads.recentNames(2)).containsExactly("c", "a");
    assertThat(reads.recentNames(10)).containsExactly("c", "a", "b");
  }

  @Test
  void tasks_of_a_job_are_listed_by_position_and_state() {
    List<Change> changes = new ArrayList<>(List.of(job(1, "a", 100), job(2, "b", 100)));
    for (int i = 0; i < 20; i += 2) {
      TaskState state = i < 10 ? TaskState.BLOCKED : TaskState.CANCELLED;
      changes.add(new TaskChanged(TaskId.of(1, i), state, 0, 0, 1));
      changes.add(new TaskChanged(TaskId.of(2, i), state, 0, 0, 1));
    }
    store.commit(changes);
    JobId job = new JobId(1);
    assertThat(indexes(TaskQuery.all(job))).containsExactly(0, 2, 4, 6, 8, 10, 12, 14, 16, 18);
    assertThat(indexes(new TaskQuery(job, Set.of(), 5, 3, false))).containsExactly(6, 8, 10);
    assertThat(indexes(new TaskQuery(job, Set.of(TaskState.CANCELLED), 0, 2, false)))
        .containsExactly(10, 12);
    assertThat(indexes(new TaskQuery(job, Set.of(TaskState.DONE), 0, 9, false))).isEmpty();
  }

  @Test
  void inline_output_comes_along_only_if_asked_for() {
    TaskId task = TaskId.of(1, 0);
    commit(job(1, "a", 1), started(task, 1), doneWith(task, 1, Samples.richReport()));
    AttemptReport with = onlyReport(new TaskQuery(task.job(), Set.of(), 0, 9, true));
    assertThat(with).usingRecursiveComparison().isEqualTo(Samples.richReport());
    AttemptReport without = onlyReport(TaskQuery.all(task.job()));
    assertThat(without.stdout())
        .usingRecursiveComparison()
        .isEqualTo(new CapturedOutput(6, new byte[0], null));
    assertThat(without.stderr().blob()).isEqualTo(Samples.BLOB);
    assertThat(without.results()).isEqualTo(Samples.richReport().results());
  }

  @Test
  void nodes_are_told_with_their_agents_as_last_seen() {
    commit(
        Samples.seen(NODE, AGENT, true, 1),
        Samples.seen(OTHER_NODE, OTHER_AGENT, true, 2),
        Samples.seen(NODE, AGENT, false, 3));
    List<NodeRecord> nodes = reads.nodes();
    assertThat(nodes).extracting(NodeRecord::id).containsExactly(NODE, OTHER_NODE);
    assertThat(nodes.getFirst().agents())
        .containsExactly(
            new NodeRecord.Agent(
                AGENT, "name of agent-a", "0.1.0", Samples.platform(), 8, false, 3));
  }

  @Test
  void nobody_is_connected_when_an_epoch_begins() {
    commit(Samples.seen(NODE, AGENT, true, 1));
    store.beginEpoch();
    assertThat(reads.nodes().getFirst().agents().getFirst().connected()).isFalse();
  }

  @Test
  void counts_of_settled_jobs_are_summed_up() {
    commit(job(1, "a", 3), job(2, "b", 2), job(3, "live", 9));
    commit(
        settled(1, Map.of(TaskState.DONE, 2, TaskState.FAILED, 1)),
        settled(2, Map.of(TaskState.DONE, 2)));
    long[] counts = reads.settledTaskCounts();
    assertThat(counts[TaskState.DONE.ordinal()]).isEqualTo(4);
    assertThat(counts[TaskState.FAILED.ordinal()]).isEqualTo(1);
    assertThat(counts[TaskState.READY.ordinal()]).isZero();
  }

  @Test
  void readers_never_see_half_a_commit() throws Exception {
    commit(job(1, "a", 10_000));
    AtomicBoolean writing = new AtomicBoolean(true);
    try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<@Nullable Void>> checks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        checks.add(readers.submit(() -> checkPairs(writing)));
      }
      for (int i = 0; i < 200; i += 2) {
        commit(blocked(i), blocked(i + 1));
      }
      writing.set(false);
      for (Future<@Nullable Void> check : checks) {
        check.get();
      }
    }
    assertThat(reads.tasks(TaskQuery.all(new JobId(1)))).hasSize(200);
  }

  private @Nullable Void checkPairs(AtomicBoolean writing) {
    while (writing.get()) {
      assertThat(reads.tasks(TaskQuery.all(new JobId(1))).size() % 2).isZero();
    }
    return null;
  }

  private static Change blocked(int index) {
    return new TaskChanged(TaskId.of(1, index), TaskState.BLOCKED, 0, 0, 1);
  }

  private void commit(Change... changes) {
    store.commit(List.of(changes));
  }

  private AttemptReport onlyReport(TaskQuery query) {
    AttemptRecord last = reads.tasks(query).getFirst().last();
    if (last == null || last.report() == null) {
      throw new AssertionError("no report");
    }
    return last.report();
  }

  private List<Long> ids(JobFilter filter) {
    return reads.jobs(filter, null, 100).stream().map(job -> job.id().value()).toList();
  }

  private List<Integer> indexes(TaskQuery query) {
    return reads.tasks(query).stream().map(task -> task.id().index()).toList();
  }

  private static JobAdded added(long id, String name, String project, String user) {
    JobSpec plain = Samples.spec(name, 1);
    JobSpec spec = JobSpec.of(name, project, plain.kind(), plain.stages());
    return new JobAdded(new JobId(id), user, spec, 1, 1000 + id, "");
  }
}
