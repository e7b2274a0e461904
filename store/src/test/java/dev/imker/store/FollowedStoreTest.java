package dev.imker.store;

import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.settled;
import static dev.imker.store.Samples.spec;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.Change;
import dev.imker.model.change.Doubt;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.change.StrategyRemembered;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.After;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.TaskRules;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** What a server that follows knows is what it would read, at every turn. */
@ExpectedLogs("(Reloading the pool|The pool is read from the database): ")
class FollowedStoreTest {
  private final String url = PostgresDatabases.fresh();
  private final PoolStore leader = PostgresDatabases.lead(url);
  private final PostgresStore standby = PostgresStore.open(url);
  private final PoolStore.Followed followed = standby.follow().orElseThrow();

  @AfterEach
  void close() {
    followed.close();
    standby.close();
    leader.close();
  }

  /** Everything that is told, as text and in its order. */
  private static final class Words implements RecoverySink {
    private final List<String> all = new ArrayList<>();

    @Override
    public void nodeProfile(NodeId node, String json) {
      all.add("node %s %s".formatted(node, json));
    }

    @Override
    public void projectProfile(ProjectId project, String json) {
      all.add("project %s %s".formatted(project, json));
    }

    @Override
    public void strategyMemory(String strategy, String subject, String json) {
      all.add("memory %s %s %s".formatted(strategy, subject, json));
    }

    @Override
    public void job(JobRecord job, JobSpec spec) {
      all.add(
          "job %s %s %d %d %s %s"
              .formatted(
                  job.id(), job.name(), job.priority(), job.settledMillis(), job.phase(), spec));
    }

    @Override
    public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
      all.add("task %s %s %d %d %d".formatted(task, state, failures, losses, attempts));
    }

    @Override
    public void done(TaskId task, long atMillis) {
      all.add("done %s %d".formatted(task, atMillis));
    }

    @Override
    public void vote(TaskId task, NodeId node, AttemptReport report) {
      all.add("vote %s %s %d".formatted(task, node, report.endedMillis()));
    }

    @Override
    public void doubt(TaskId task, NodeId node) {
      all.add("doubt %s %s".formatted(task, node));
    }

    @Override
    public void lease(
        Lease lease, AgentId agent, NodeId node, int attempt, long started, Granted granted) {
      all.add(
          "lease %s %s %s %d %d %s"
              .formatted(lease, agent, node, attempt, started, granted.text()));
    }

    boolean says(String beginning) {
      return all.stream().anyMatch(word -> word.startsWith(beginning));
    }
  }

  private Words restored() {
    Words words = new Words();
    standby.load(words);
    return words;
  }

  private Words known() {
    Words words = new Words();
    followed.load(words);
    return words;
  }

  private void check() {
    followed.catchUp();
    assertThat(known().all).isEqualTo(restored().all);
    assertThat(followed.check().differences()).isEmpty();
  }

  private static JobAdded added(long id, JobSpec spec, int tasks) {
    return new JobAdded(new JobId(id), "admin", spec, tasks, 1000 + id, "");
  }

  private static JobSpec waiting(String tasks) {
    JobSpec plain = spec("waits", 3);
    return plain.withStages(
        List.of(plain.stages().getFirst().withAfter(List.of(After.tasks(tasks)))));
  }

  private static JobSpec voting() {
    JobSpec plain = spec("votes", 30);
    return plain.withStages(
        List.of(plain.stages().getFirst().withRules(TaskRules.USUAL.withQuorum(2))));
  }

  private static JobChanged open(long job, int priority) {
    return new JobChanged(
        new JobId(job), Samples.counts(Map.of(TaskState.READY, 1)), JobChanged.OPEN, priority);
  }

  private static SettingPut limits(long job, String text) {
    return new SettingPut("tasks.limits." + job, text);
  }

  // ---------------------------------------------------------------- anything that may happen

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void followed_state_is_the_restored_one_whatever_happens(long seed) {
    Random random = new Random(seed);
    leader.commit(
        List.of(
            job(1, "one", 200),
            added(2, voting(), 30),
            job(3, "three", 50),
            added(4, waiting("3.1..4"), 3)));
    RandomHistory ones = new RandomHistory(1, random, 200);
    RandomHistory twos = new RandomHistory(2, random, 30);
    RandomHistory threes = new RandomHistory(3, random, 50);
    long next = 5;
    check();
    for (int turn = 0; turn < 60; turn++) {
      List<Change> changes = new ArrayList<>();
      changes.addAll(ones.next(random.nextInt(40)));
      if (random.nextBoolean()) {
        changes.addAll(twos.next(10));
      }
      switch (random.nextInt(10)) {
        case 0 -> changes.add(job(next++, "more", 10));
        case 1 -> changes.addAll(threes.next(20));
        case 2 -> changes.add(settled(3, Map.of(TaskState.DONE, 50)));
        case 3 -> changes.add(open(3, random.nextInt(9)));
        case 4 -> changes.add(new NodeProfiled(Samples.NODE, "{\"n\":" + turn + "}"));
        case 5 ->
            changes.add(
                new ProjectProfiled(new ProjectId("admin", "default"), "{\"p\":" + turn + "}"));
        case 6 -> changes.add(new StrategyRemembered("survival", "x" + turn % 3, "{}" + turn));
        case 7 -> changes.add(new JobPhased(new JobId(1), turn % 2 == 0 ? "" : "rolled-back:1"));
        case 8 -> changes.add(limits(1, "[" + turn + "]"));
        default -> changes.add(new SpecChanged(new JobId(2), voting().withPriority(turn)));
      }
      leader.commit(changes);
      if (random.nextInt(10) == 0) {
        leader.beginEpoch();
      }
      if (random.nextInt(3) > 0) {
        check();
      }
    }
    check();
    assertThat(followed.taskLimits(new JobId(1)))
        .isEqualTo(standby.setting("tasks.limits.1").orElse(""));
    Words before = new Words();
    Words beforeRestored = new Words();
    assertThat(followed.load(new JobId(3), before)).isTrue();
    standby.load(new JobId(3), beforeRestored);
    assertThat(before.all).isEqualTo(beforeRestored.all);
    assertThat(known().says("lease")).isTrue();
    assertThat(known().says("vote")).isTrue();
  }

  // ---------------------------------------------------------------- one thing after the other

  @Test
  void turns_are_counted_and_only_what_they_touched_is_read() {
    leader.commit(List.of(job(1, "one", 10)));
    assertThat(followed.catchUp()).hasValue(0); // all was read
    leader.commit(List.of(started(TaskId.of(1, 3), 7)));
    leader.putSetting("token", "one");
    assertThat(followed.catchUp()).hasValue(2);
    assertThat(followed.catchUp()).hasValue(0);
    assertThat(followed.position()).hasValue(new PoolStore.Position(1, 3));
    assertThat(known().says("lease")).isTrue();
  }

  @Test
  void job_is_known_while_it_is_open_or_waited_for() {
    leader.commit(List.of(job(1, "one", 10), job(2, "two", 10)));
    check();
    leader.commit(
        List.of(
            new TasksChanged(new JobId(2), 0, 10, TaskState.DONE, 0, 0, 77),
            settled(1, Map.of(TaskState.DONE, 10)),
            settled(2, Map.of(TaskState.DONE, 10))));
    check();
    assertThat(followed.load(new JobId(2), new Words())).isFalse();
    leader.commit(List.of(added(3, waiting("2.1..4"), 3)));
    check();
    Words before = new Words();
    assertThat(followed.load(new JobId(2), before)).isTrue();
    assertThat(before.says("done 2.10")).isTrue();
    leader.commit(List.of(settled(3, Map.of(TaskState.CANCELLED, 3))));
    check();
    assertThat(followed.load(new JobId(2), new Words())).isFalse();
    leader.commit(List.of(new JobRemoved(new JobId(1)), open(2, 3)));
    check();
    assertThat(known().says("task 2.10 DONE")).isTrue();
  }

  @Test
  void task_in_doubt_is_told_with_whose_result_it_was() {
    TaskId task = TaskId.of(1, 4);
    leader.commit(List.of(job(1, "one", 10), started(task, 7)));
    leader.commit(List.of(Samples.done(task, 7)));
    check();
    leader.commit(
        List.of(new TaskChanged(task, TaskState.READY, 0, 0, 99, Doubt.REASON + "node-b")));
    check();
    assertThat(known().says("doubt 1.5 node-a")).isTrue();
  }

  @Test
  void votes_are_told_as_soon_as_a_job_needs_them() {
    TaskId task = TaskId.of(1, 4);
    leader.commit(List.of(job(1, "one", 30), started(task, 7)));
    leader.commit(List.of(Samples.ended(task, 7, AttemptOutcome.SUCCEEDED, TaskState.READY, 0, 0)));
    check();
    assertThat(known().says("vote")).isFalse();
    leader.commit(List.of(new SpecChanged(new JobId(1), voting())));
    check();
    assertThat(known().says("vote 1.5")).isTrue();
  }

  @Test
  void amounts_of_an_attempt_are_followed() {
    String amounts = new Granted(1, new TreeMap<>(Map.of("cores", 250L)), new TreeMap<>()).text();
    leader.commit(List.of(job(1, "one", 10)));
    check();
    leader.commit(
        List.of(
            new AttemptStarted(
                TaskId.of(1, 0),
                new LeaseToken(9),
                Samples.AGENT,
                Samples.NODE,
                1,
                amounts,
                5000)));
    check();
    assertThat(known().all.getLast()).endsWith(amounts);
  }

  // ---------------------------------------------------------------- taking over

  @Test
  void who_takes_over_knows_the_last_turn_of_the_former_leader() {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    leader.commit(List.of(started(TaskId.of(1, 3), 7)));
    long epoch = standby.beginEpoch();
    assertThat(followed.catchUpWith(epoch)).isTrue();
    assertThat(followed.position()).hasValue(new PoolStore.Position(epoch, 0));
    assertThat(known().all).isEqualTo(restored().all).anyMatch(word -> word.startsWith("lease"));
  }

  @Test
  void who_has_not_followed_does_not_claim_to_know() {
    leader.commit(List.of(job(1, "one", 10)));
    assertThat(followed.catchUpWith(standby.beginEpoch())).isFalse();
  }

  @Test
  void log_with_a_gap_is_not_believed() {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    leader.commit(List.of(job(2, "two", 10)));
    leader.commit(List.of(job(3, "three", 10)));
    TestPostgres.execute(url, "DELETE FROM change_log WHERE epoch = 1 AND turn = 2");
    assertThat(followed.catchUpWith(standby.beginEpoch())).isFalse();
    assertThat(known().says("job 2")).isFalse(); // it knows less, but nothing that is wrong
  }

  @Test
  void log_without_its_end_is_not_believed() {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    leader.commit(List.of(job(2, "two", 10)));
    TestPostgres.execute(url, "UPDATE pool SET turn = turn + 1");
    assertThat(followed.catchUpWith(1)).isFalse();
  }

  @Test
  void log_that_was_cut_too_far_is_not_believed() {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    leader.commit(List.of(job(2, "two", 10)));
    TestPostgres.execute(url, "DELETE FROM change_log WHERE turn <= 1");
    assertThat(followed.catchUpWith(standby.beginEpoch())).isFalse();
  }

  @Test
  void turn_that_came_a_second_time_after_commits_were_lost_is_not_believed() {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    TestPostgres.execute(url, "UPDATE change_log SET mark = gen_random_uuid() WHERE turn = 1");
    assertThat(followed.catchUpWith(standby.beginEpoch())).isFalse();
  }

  @Test
  void log_of_another_version_is_not_believed() {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    leader.commit(List.of(job(2, "two", 10)));
    TestPostgres.execute(url, "UPDATE change_log SET touched = '\\x7f01' WHERE turn = 2");
    assertThat(followed.catchUpWith(standby.beginEpoch())).isFalse();
  }

  @Test
  void whoever_does_not_believe_the_log_reads_all_afresh_when_that_has_been_a_while()
      throws InterruptedException {
    leader.commit(List.of(job(1, "one", 10)));
    followed.catchUp();
    leader.commit(List.of(job(2, "two", 10)));
    TestPostgres.execute(url, "DELETE FROM change_log WHERE turn <= 1");
    while (followed.catchUp().isEmpty()) { // it rests between two readings
      followed.awaitTurn(50);
    }
    check();
  }

  // ---------------------------------------------------------------- the check, and the bell

  @Test
  void row_that_was_written_past_the_log_is_found_by_the_check() {
    leader.commit(List.of(job(1, "one", 10), job(2, "two", 10), started(TaskId.of(1, 3), 7)));
    check();
    TestPostgres.execute(url, "UPDATE task SET losses = 5");
    PoolStore.Checked checked = followed.check();
    assertThat(checked.differences()).hasSize(1);
    assertThat(checked.differences().getFirst())
        .startsWith("task 1.4: known is RUNNING, failed 0 and lost 0 times")
        .contains("the database has RUNNING, failed 0 and lost 5 times");
    assertThat(checked.jobs()).isEqualTo(2);
    assertThat(checked.tasks()).isEqualTo(20);
    assertThat(followed.position()).contains(checked.at());
  }

  @Test
  void turns_are_announced_while_somebody_waits_for_them() throws Exception {
    var _ = followed.awaitTurn(1);
    try (Connection other = DriverManager.getConnection(url);
        Statement statement = other.createStatement()) {
      statement.execute("LISTEN imker_turn");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                leader.commit(List.of(new SettingPut("a", "b")));
                return other.unwrap(PGConnection.class).getNotifications(100).length > 0;
              });
    }
    check();
  }
}
