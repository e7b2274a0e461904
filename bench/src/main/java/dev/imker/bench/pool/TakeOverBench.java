package dev.imker.bench.pool;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.server.loop.RoleListener;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import dev.imker.store.postgres.PostgresStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long a server needs to lead a large pool from the moment in which it is told to: one that
 * follows, and one that reads the pool from the database, in turn, on one PostgreSQL that syncs.
 * Half of the tasks have rows and a thousand run; others write until the moment of taking over.
 */
public final class TakeOverBench {
  private static final int ROUNDS = 5;
  private static final int RUNNING = 1000;
  private static final int PER_COMMIT = 5000;
  private static final int TURNS_BEFORE = 50;
  private static final AgentId AGENT = new AgentId("agent");
  private static final NodeId NODE = new NodeId("node");
  private static final JobId JOB = new JobId(1);

  private final int tasks;
  private final String url;
  private int next;
  private long token;

  private TakeOverBench(int tasks, String url) {
    this.tasks = tasks;
    this.url = url;
  }

  public static void run(String... args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    try (EmbeddedPostgres database = PoolProcesses.durablePostgres()) {
      new TakeOverBench(tasks, database.getJdbcUrl("postgres", "postgres")).measure();
    }
  }

  private void measure() throws Exception {
    try (PostgresStore store = PostgresStore.open(url)) {
      store.beginEpoch();
      fill(store);
    }
    System.out.printf(
        "%,d tasks, %,d of them with rows, %,d running%n%n", tasks, tasks / 2, RUNNING);
    System.out.println("| round | follows, ms | reads the database, ms |");
    System.out.println("|---|---:|---:|");
    for (int round = 1; round <= ROUNDS; round++) {
      System.out.printf("| %d | %,d | %,d |%n", round, warm(), cold());
    }
  }

  private void fill(PoolStore store) {
    Stage stage = Stage.of(List.of("true"), List.of(SweepAxis.range("n", 1, tasks, 1, 0)));
    JobSpec spec = JobSpec.of("large", "default", JobKind.COMMAND, stage);
    store.commit(List.of(new JobAdded(JOB, "admin", spec, tasks, 1000, "")));
    while (next < tasks / 2) {
      int end = Math.min(next + PER_COMMIT, tasks / 2);
      commit(store, end, end > tasks / 2 - RUNNING);
    }
  }

  /** Tasks up to a position are started, and done unless they are to go on. */
  private void commit(PoolStore store, int end, boolean last) {
    List<Change> started = new ArrayList<>();
    List<Change> ended = new ArrayList<>();
    for (; next < end; next++) {
      TaskId task = new TaskId(JOB, next);
      LeaseToken lease = LeaseToken.of(1, ++token);
      started.add(new AttemptStarted(task, lease, AGENT, NODE, 1, 2000));
      if (!last || next < end - RUNNING) {
        AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, 3000, "");
        ended.add(new AttemptEnded(task, lease, report, TaskState.DONE, 0, 0, 3000));
      }
    }
    store.commit(started);
    store.commit(ended);
  }

  private long warm() throws Exception {
    try (PostgresStore leading = PostgresStore.open(url);
        PostgresStore store = PostgresStore.open(url);
        SchedulerLoop loop = loop(store, false)) {
      CompletableFuture<Boolean> leads = new CompletableFuture<>();
      loop.onRole(
          new RoleListener() {
            @Override
            public void leads() {
              leads.complete(true);
            }
          });
      loop.start();
      leading.beginEpoch();
      for (int turn = 0; turn < TURNS_BEFORE; turn++) {
        commit(leading, next + 1, false);
      }
      long begun = System.nanoTime();
      loop.lead();
      leads.get(10, TimeUnit.MINUTES);
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }
  }

  private long cold() {
    try (PostgresStore store = PostgresStore.open(url)) {
      long begun = System.nanoTime();
      SchedulerLoop loop = loop(store, true);
      long took = System.nanoTime() - begun;
      loop.start();
      loop.close();
      return TimeUnit.NANOSECONDS.toMillis(took);
    }
  }

  private static SchedulerLoop loop(PoolStore store, boolean leads) {
    return BareLoop.on(store, SchedulerSettings.defaults(), new BareLoop.NoAgents(), leads);
  }
}
