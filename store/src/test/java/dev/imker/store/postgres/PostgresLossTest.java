package dev.imker.store.postgres;

import static dev.imker.store.Samples.done;
import static dev.imker.store.Samples.job;
import static dev.imker.store.Samples.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.store.CommitUnsureException;
import dev.imker.store.DeposedException;
import dev.imker.store.Journal;
import dev.imker.store.PostgresDatabases;
import dev.imker.store.StoreException;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The database vanishes at the worst moments, or belongs to another server meanwhile. */
@ExpectedLogs("The database is unreachable, trying again")
class PostgresLossTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String url = PostgresDatabases.fresh();
  private CuttingProxy proxy;
  private PostgresStore store;

  @BeforeEach
  void open_through_the_proxy() throws IOException {
    proxy = CuttingProxy.to(URI.create(url.substring("jdbc:".length())).getPort());
    store = PostgresStore.open(throughProxy(), PATIENCE);
    store.beginEpoch();
  }

  @AfterEach
  void close() {
    store.close();
    proxy.close();
  }

  @Test
  void commit_whose_answer_got_lost_happens_exactly_once() {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    System.out.println("imker.seed=" + seed + " (set it to repeat the cuts)");
    Random random = new Random(seed);
    for (int i = 1; i <= 30; i++) {
      CuttingProxy.Cut cut =
          random.nextBoolean() ? CuttingProxy.Cut.AFTER_COMMIT : CuttingProxy.Cut.BEFORE_COMMIT;
      proxy.cutNextCommit(cut);
      TaskId task = TaskId.of(i, 0);
      // Any of these twice would be refused: a job or an attempt that is there already.
      store.commit(List.of(job(i, "a", 2), started(task, 10 + i)));
      store.commit(List.of(done(task, 10 + i)));
      assertThat(store.reads().task(task).orElseThrow().state()).isEqualTo(TaskState.DONE);
    }
    assertThat(proxy.cuts()).isGreaterThan(20);
    assertThat(store.lastJobId()).isEqualTo(30);
    assertThat(store.journal().usage(null, Set.of(Journal.Grouping.USER), 0).getFirst().attempts())
        .isEqualTo(30);
  }

  @Test
  void outage_of_the_database_is_ridden_through() throws Exception {
    store.commit(List.of(job(1, "a", 1)));
    proxy.refuse(true);
    CompletableFuture<Void> commit =
        CompletableFuture.runAsync(() -> store.commit(List.of(job(2, "b", 1))));
    CompletableFuture<Boolean> read =
        CompletableFuture.supplyAsync(() -> store.reads().job(new JobId(1)).isPresent());
    assertThatThrownBy(() -> commit.get(300, TimeUnit.MILLISECONDS)).isNotNull();
    proxy.refuse(false);
    commit.get(60, TimeUnit.SECONDS);
    assertThat(read.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(store.lastJobId()).isEqualTo(2);
  }

  @Test
  void commit_that_stays_unanswered_is_told_as_such() throws IOException {
    try (PostgresStore hasty = PostgresStore.open(throughProxy(), Duration.ZERO)) {
      hasty.beginEpoch();
      proxy.cutNextCommit(CuttingProxy.Cut.AFTER_COMMIT);
      assertThatThrownBy(() -> hasty.commit(List.of(job(1, "a", 1))))
          .isInstanceOf(CommitUnsureException.class)
          .hasMessageNotContaining("user=");
      hasty.continueEpoch();
      hasty.commit(List.of(job(hasty.lastJobId() + 1, "b", 1)));
    }
  }

  /** The proxy must be able to read the word COMMIT, which the driver abbreviates otherwise. */
  private String throughProxy() {
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    return url.replace(":" + port + "/", ":" + proxy.port() + "/") + "&prepareThreshold=0";
  }

  @Test
  void server_whose_successor_has_begun_can_never_write_again() {
    store.commit(List.of(job(1, "a", 1)));
    try (PostgresStore successor = PostgresStore.open(url)) {
      successor.beginEpoch();
      assertThatThrownBy(() -> store.commit(List.of(job(2, "late", 1))))
          .isInstanceOf(DeposedException.class);
      assertThatThrownBy(() -> store.putSetting("late", "1")).isInstanceOf(DeposedException.class);
      assertThatThrownBy(() -> store.continueEpoch()).isInstanceOf(DeposedException.class);
      assertThatThrownBy(() -> store.commit(List.of(job(2, "late", 1))))
          .isInstanceOf(StoreException.class);
      assertThat(successor.lastJobId()).isEqualTo(1);
      successor.commit(List.of(job(2, "in time", 1)));
      assertThat(successor.setting("late")).isEmpty();
    }
  }

  @Test
  void store_without_an_epoch_may_not_write_changes() {
    try (PostgresStore standby = PostgresStore.open(url)) {
      assertThatThrownBy(() -> standby.commit(List.of(job(1, "a", 1))))
          .isInstanceOf(StoreException.class);
      assertThat(standby.epoch()).isEqualTo(1);
    }
    store.commit(List.of(job(1, "a", 1)));
  }

  @Test
  void server_that_stands_still_in_a_transaction_does_not_hold_up_its_successor()
      throws SQLException {
    String asWriter = url + "&ApplicationName=imker%20writer";
    try (Connection frozen = DriverManager.getConnection(asWriter);
        PostgresStore successor = PostgresStore.open(url)) {
      frozen.setAutoCommit(false);
      try (var statement = frozen.createStatement()) {
        statement.execute("UPDATE pool SET turn = turn + 1");
      }
      successor.beginEpoch();
      successor.commit(List.of(job(1, "a", 1)));
      assertThatThrownBy(frozen::commit).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void connections_that_the_database_closed_are_replaced() {
    store.commit(List.of(job(1, "a", 1)));
    assertThat(store.reads().job(new JobId(1))).isPresent();
    TestPostgres.execute(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE"
            + " 'imker%' AND datname = current_database()");
    store.commit(List.of(job(2, "b", 1)));
    assertThat(store.reads().job(new JobId(2))).isPresent();
  }
}
