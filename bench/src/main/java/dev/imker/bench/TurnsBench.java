package dev.imker.bench;

import dev.imker.bench.pool.BareLoop;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.RecordChange;
import dev.imker.model.change.TaskImported;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.sqlite.SqliteStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long the scheduler's loop holds a turn while something is done with all tasks of a large job,
 * by the clock and in time of a processor, with everything written to SQLite on disk.
 */
final class TurnsBench {
  private static final AgentId AGENT = new AgentId("a");
  private static final int IMPORTED_PER_CHANGE = 500;

  /** How many rows of a removed job go at once. */
  private static final int ROWS_PER_TURN = 4_000;

  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final int tasks;
  private final List<Lease> assigned = new ArrayList<>();
  private final SchedulerLoop loop;
  private final JobCommands jobs;
  private final BulkCommands bulk;

  private TurnsBench(SqliteStore store, int tasks) {
    this.tasks = tasks;
    loop = BareLoop.on(store, SchedulerSettings.defaults().withPrefetch(0, 0), new Lines(), true);
    jobs = new JobCommands(loop);
    bulk = new BulkCommands(loop);
  }

  static void run(String... args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "turns-");
    try (SqliteStore store = SqliteStore.open(folder)) {
      TurnsBench bench = new TurnsBench(store, tasks);
      for (String round : List.of("freshly started", "compiled")) {
        System.out.println(
            "| order, "
                + round
                + " | time | turns | longest | above 50 ms | longest, processor time | its turn |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|");
        bench.play();
      }
    } finally {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private void play() {
    JobId job = submit(OnFailure.CARRY_ON);
    measure("`set` priority", jobs.prioritise(job, 7));
    TaskLimits own = new TaskLimits(0, tasks, 3, null, null, null);
    measure("`set` of each task's own", jobs.limitTasks(job, own));
    measure("`block`", jobs.act(JobCommands.Action.BLOCK, job, 0, tasks));
    measure("`release`", jobs.act(JobCommands.Action.RELEASE, job, 0, tasks));
    measure("`cancel`", jobs.act(JobCommands.Action.CANCEL, job, 0, tasks));
    measure("`retry`", bulk.act(JobCommands.Action.RELEASE, job, Set.of(TaskState.CANCELLED)));
    measure("`cancel` again", jobs.act(JobCommands.Action.CANCEL, job, 0, tasks));
    remove("`delete`, and what retention does", job);

    fails("`on-failure: abort`", OnFailure.Way.ABORT, false);
    fails("`on-failure: restart`", OnFailure.Way.RESTART, true);
    fails("`on-failure: rollback`, until undoing begins", OnFailure.Way.ROLLBACK, false);
    imports();
  }

  private JobId submit(OnFailure onFailure) {
    Stage stage =
        Stage.of(List.of("true"), List.of(SweepAxis.range("n", 1, tasks, 1, 0)))
            .withRules(TaskRules.USUAL.withLimits(1, 0));
    JobSpec plain = JobSpec.of("job", "default", JobKind.COMMAND, stage);
    JobSpec spec =
        new JobSpec(
            plain.version(),
            plain.name(),
            plain.project(),
            onFailure.way() == OnFailure.Way.ROLLBACK ? JobKind.JAVA : plain.kind(),
            plain.priority(),
            plain.stages(),
            onFailure,
            Notices.NOBODY);
    return measure(
            onFailure.equals(OnFailure.CARRY_ON) ? "`submit`" : "", jobs.submit("admin", spec, ""))
        .job();
  }

  private void fails(String name, OnFailure.Way way, boolean cancelled) {
    connect(); // it holds nothing
    loop.step();
    assigned.clear();
    JobId job = submit(new OnFailure(way, 1));
    if (cancelled) { // so that all tasks have to change
      measure("", jobs.act(JobCommands.Action.CANCEL, job, 1, tasks));
    }
    while (assigned.isEmpty()) {
      loop.step();
    }
    Lease lease = assigned.getFirst();
    loop.tell(
        (pool, nowMillis, out) ->
            pool.scheduler()
                .onFinished(
                    nowMillis,
                    AGENT,
                    lease,
                    AttemptReport.withoutRun(AttemptOutcome.FAILED, nowMillis, ""),
                    out));
    Turns turns = new Turns();
    boolean[] goesOn = {true};
    while (goesOn[0]) {
      turns.step();
      loop.tell((pool, _, _) -> goesOn[0] = pool.scheduler().view().isHeldBack(job));
    }
    turns.print(name);
    measure("", jobs.act(JobCommands.Action.CANCEL, job, 0, tasks));
    remove("", job);
  }

  private void remove(String name, JobId job) {
    Turns turns = new Turns();
    turns.until(jobs.remove(job));
    for (int left = tasks; left > 0; left -= ROWS_PER_TURN) {
      turns.step();
    }
    turns.print(name);
  }

  private void imports() {
    Stage stage = Stage.of(List.of("true"), List.of(SweepAxis.range("n", 1, tasks, 1, 0)));
    JobSpec spec = JobSpec.of("imported", "default", JobKind.COMMAND, stage);
    int[] counts = new int[TaskState.values().length];
    counts[TaskState.CANCELLED.ordinal()] = tasks;
    Turns turns = new Turns();
    JobId job = turns.until(jobs.addSettled("admin", spec, 1, 2, 4, counts));
    for (int from = 0; from < tasks; from += IMPORTED_PER_CHANGE) {
      List<RecordChange> some = new ArrayList<>();
      for (int i = from; i < Math.min(tasks, from + IMPORTED_PER_CHANGE); i++) {
        some.add(new TaskImported(new TaskId(job, i), TaskState.CANCELLED, 0, 0, 2, List.of(), -1));
      }
      turns.until(loop.record(some));
    }
    turns.until(jobs.imported(List.of(job)));
    turns.print("`import`");
    remove("", job);
  }

  /** The turns that one order takes. */
  private final class Turns {
    private final long begunNanos = System.nanoTime();
    private int count;
    private int above;
    private long longest;
    private long longestWork;
    private int longestTurn;

    void step() {
      long work = THREADS.getCurrentThreadCpuTime();
      long begun = System.nanoTime();
      loop.step();
      long took = System.nanoTime() - begun;
      count++;
      above += took > LIMIT_NANOS ? 1 : 0;
      if (took > longest) {
        longest = took;
        longestTurn = count;
      }
      longestWork = Math.max(longestWork, THREADS.getCurrentThreadCpuTime() - work);
    }

    <T> T until(CompletableFuture<T> answer) {
      while (!answer.isDone()) {
        step();
      }
      return answer.join();
    }

    void print(String name) {
      if (!name.isEmpty()) {
        System.out.printf(
            Locale.ROOT,
            "| %s | %.1f s | %,d | %.0f ms | %d | %.0f ms | %,d |%n",
            name,
            (System.nanoTime() - begunNanos) / 1e9,
            count,
            longest / 1e6,
            above,
            longestWork / 1e6,
            longestTurn);
      }
    }
  }

  private <T> T measure(String name, CompletableFuture<T> answer) {
    Turns turns = new Turns();
    T result = turns.until(answer);
    turns.print(name);
    return result;
  }

  private void connect() {
    Platform platform =
        new Platform("linux", "", "x86_64", "host", 2, 0, 1, 1, 1, Map.of(), Set.of());
    AgentHello hello =
        new AgentHello(AGENT, new NodeId("n"), "a", "bench", platform, 1, 1, List.of());
    loop.tell((pool, nowMillis, out) -> pool.scheduler().onHello(nowMillis, hello, out));
  }

  private final class Lines extends BareLoop.NoAgents {
    @Override
    public void assign(
        AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {
      assigned.add(lease);
    }
  }
}
