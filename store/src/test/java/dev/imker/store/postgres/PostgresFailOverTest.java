package dev.imker.store.postgres;

import static dev.imker.store.Samples.done;
import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.store.DeposedException;
import dev.imker.store.Journal;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreException;
import dev.imker.store.TaskRecord;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.ReplicatedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database is two servers, and the one that writes is lost. */
@ExpectedLogs("The database is unreachable, trying again")
class PostgresFailOverTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** After which an answer is not waited for any longer. */
  private static final long ANSWER_SECONDS = PostgresDatabase.ANSWER_WITHIN.toSeconds();

  /** The common pool may have a single thread, which others wait for. */
  private static final Executor OWN_THREAD = Thread::startVirtualThread;

  @TempDir Path folder;
  private ReplicatedPostgres databases;
  private String url;
  private PostgresStore store;

  @BeforeEach
  void open() {
    databases = ReplicatedPostgres.start(folder);
    url = databases.url() + "&sslmode=disable";
    store = PostgresStore.open(url, PATIENCE);
    store.beginEpoch();
  }

  @AfterEach
  void close() {
    store.close();
    databases.close();
  }

  @Test
  void commits_go_on_at_the_replica_and_none_is_lost_or_made_twice() throws Exception {
    AtomicLong acknowledged = new AtomicLong();
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> commits =
        CompletableFuture.runAsync(
            () -> {
              for (long i = 1; !enough.get(); i++) {
                commitJob(i);
                acknowledged.set(i);
              }
            },
            OWN_THREAD);
    try {
      await().atMost(PATIENCE).until(() -> acknowledged.get() > 50 || commits.isDone());
      databases.primary().kill();
      long before = acknowledged.get();
      databases.promote();
      await().atMost(PATIENCE).until(() -> acknowledged.get() > before + 50 || commits.isDone());
    } finally {
      enough.set(true);
    }
    commits.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    checkJobs(store, acknowledged.get());
    try (PostgresStore successor = PostgresStore.open(url, PATIENCE)) {
      checkJobs(successor, acknowledged.get());
      successor.beginEpoch();
      assertThatThrownBy(() -> commitJob(acknowledged.get() + 1))
          .as("fenced as ever")
          .isInstanceOf(DeposedException.class);
    }
  }

  /** Any of these twice would be refused: a job or an attempt that is there already. */
  private void commitJob(long number) {
    TaskId task = TaskId.of(number, 0);
    store.commit(List.of(job(number, "job-" + number, 1), started(task, number)));
    store.commit(List.of(done(task, number)));
    assertThat(store.reads().job(new JobId(number))).isPresent();
  }

  private static void checkJobs(PoolStore store, long last) {
    assertThat(store.lastJobId()).isEqualTo(last);
    for (long job = 1; job <= last; job++) {
      TaskRecord task = store.reads().task(TaskId.of(job, 0)).orElseThrow();
      assertThat(task.state()).as("task of job %d", job).isEqualTo(TaskState.DONE);
    }
    assertThat(store.journal().usage(null, Set.of(Journal.Grouping.USER), 0).getFirst().attempts())
        .isEqualTo(last);
  }

  @Test
  void server_that_is_silent_is_left_when_its_successor_is_known() throws Exception {
    store.commit(List.of(job(1, "a", 1)));
    databases.primary().freeze();
    CompletableFuture<Void> commit =
        CompletableFuture.runAsync(() -> store.commit(List.of(job(2, "b", 1))), OWN_THREAD);
    databases.promote();
    // As leadership does, which looks every second whether its connection is alive.
    PostgresHosts.of(url)
        .connect("another part of the server", Duration.ZERO, new Properties())
        .close();
    commit.get(ANSWER_SECONDS - 20, TimeUnit.SECONDS);
    assertThat(store.lastJobId()).isEqualTo(2);
  }

  @Test
  void commit_that_only_the_lost_server_had_is_made_again() throws Exception {
    store.commit(List.of(job(1, "a", 1)));
    databases.replica().kill();
    CompletableFuture<Void> commit =
        CompletableFuture.runAsync(() -> store.commit(List.of(job(2, "b", 1))), OWN_THREAD);
    awaitWaitingWriter(commit);
    // Once it has started again, the job is there for all to see, and still in one place only.
    databases.primary().kill();
    databases.primary().start();
    awaitWaitingWriter(commit);
    assertThat(commit.isDone()).as("what could still be lost is not acknowledged").isFalse();
    databases.primary().kill();
    databases.replica().start();
    databases.promote();
    commit.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(store.lastJobId()).isEqualTo(2);
    store.commit(List.of(job(3, "c", 1)));
    assertThat(store.reads().job(new JobId(2))).isPresent();
  }

  private void awaitWaitingWriter(CompletableFuture<Void> commit) {
    await()
        .atMost(PATIENCE)
        .until(() -> commit.isDone() || databases.waitsForReplica(PostgresDatabase.WRITER_NAME));
  }

  @Test
  void commits_that_an_asynchronous_replica_lacks_are_noticed() {
    databases.makeAsynchronous();
    store.commit(List.of(job(1, "a", 1)));
    databases.replica().kill();
    store.commit(List.of(job(2, "b", 1)));
    store.commit(List.of(job(3, "c", 1)));
    databases.primary().kill();
    databases.replica().start();
    databases.promote();
    assertThatThrownBy(() -> store.commit(List.of(job(4, "d", 1))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("lacks the last")
        .hasMessageContaining("synchronous_standby_names")
        .hasMessageNotContaining("user=");
    store.continueEpoch();
    long last = store.lastJobId();
    assertThat(last).isLessThan(3);
    store.commit(List.of(job(last + 1, "e", 1)));
    assertThat(store.lastJobId()).isEqualTo(last + 1);
  }
}
