package dev.imker.chaos;

import dev.imker.chaos.check.AttemptLog;
import dev.imker.chaos.check.History;
import dev.imker.chaos.check.HistoryCheck;
import dev.imker.chaos.check.PoolWrites;
import dev.imker.chaos.check.Violation;
import dev.imker.chaos.check.WriteAudit;
import dev.imker.chaos.cluster.ChaosException;
import dev.imker.chaos.cluster.ChaosPool;
import dev.imker.chaos.cluster.Pause;
import dev.imker.chaos.cluster.PoolPlan;
import dev.imker.chaos.load.PoolLoad;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One run: a pool, work, bad things, and in the end the proof. */
final class ChaosRun {
  private static final long STUCK_SECONDS = 600;
  private static final long LOOK_MILLIS = 200;
  private static final int TRIES = 6;
  private static final long RETRY_MILLIS = 2_000;

  private final ChaosOptions options;
  private final long seed;
  private final Path folder;
  private final PrintWriter out;
  private final long begunNanos = System.nanoTime();
  private final FailOvers failOvers = new FailOvers();

  /**
   * @param out told what happens, line by line
   */
  public ChaosRun(ChaosOptions options, long seed, Path folder, PrintWriter out) {
    this.options = options;
    this.seed = seed;
    this.folder = folder;
    this.out = out;
  }

  public record Outcome(List<Violation> violations, int tasks, int attempts) {}

  public Outcome run() throws SQLException, IOException {
    PoolPlan plan =
        new PoolPlan(
            folder,
            options.servers(),
            options.agents,
            options.slots,
            options.leaseSeconds,
            !options.oneNetwork,
            options.isInFolder(),
            options.realDisk,
            PoolLoad.dropFolder(folder));
    say("seed %d, folder %s".formatted(seed, folder));
    try (ChaosPool pool = ChaosPool.start(plan, options.zookeeper)) {
      pool.notes().forEach(note -> say("not possible here: " + note));
      WriteAudit audit = new WriteAudit(pool.databaseUrl());
      audit.install(Optional.of(pool.servers().getFirst().life()));
      if (options.everyEvent) {
        return EventCrashes.run(pool, audit, folder, seed, options.crashes, this::say);
      }
      PoolLoad.addIdle(pool.context(), options.idleTasks);
      int slots = options.agents * options.slots;
      try (PoolLoad load =
          PoolLoad.start(
              pool.context(), audit, folder, seed, options.agents, slots, options.forgets())) {
        FaultRunner faults = new FaultRunner(pool, load, audit, failOvers, this::say);
        faults.awaitWork();
        try (Footprint _ = Footprint.watch(pool, audit, folder)) {
          if (options.steady) {
            Pause.millis((long) (options.minutes() * TimeUnit.MINUTES.toMillis(1)));
          } else {
            disturb(faults);
          }
        }
        say("all faults are over; the work must finish now");
        pool.makeWhole();
        load.finish();
        awaitEnd(audit);
        return judge(load, audit, faults);
      }
    }
  }

  private void disturb(FaultRunner faults) {
    FaultSchedule schedule =
        new FaultSchedule(
            seed,
            options.kinds(),
            !options.only.isEmpty(),
            TimeUnit.SECONDS.toMillis(options.calmSeconds));
    long begun = System.nanoTime();
    while (!options.isOver(
        minutesSince(begun),
        faults.count(FaultKind.KILL_LEADER),
        faults.count(FaultKind.KILL_AGENT))) {
      faults.run(schedule.next());
      if (options.calmSeconds > 0) {
        faults.awaitResults();
      }
    }
  }

  private static double minutesSince(long nanos) {
    return (System.nanoTime() - nanos) / (double) TimeUnit.MINUTES.toNanos(1);
  }

  /** Returns when no job is live, or when nothing has changed for long. */
  private void awaitEnd(WriteAudit audit) throws SQLException {
    WriteAudit.Progress last = patiently(audit::progress);
    long changed = System.nanoTime();
    while (last.liveJobs() > 0
        && System.nanoTime() - changed < TimeUnit.SECONDS.toNanos(STUCK_SECONDS)) {
      Pause.millis(LOOK_MILLIS);
      WriteAudit.Progress now = patiently(audit::progress);
      changed = now.equals(last) ? changed : System.nanoTime();
      last = now;
    }
    if (last.liveJobs() > 0) {
      say("no progress any more, and %d jobs are unfinished".formatted(last.liveJobs()));
    }
  }

  private interface Question<T> {
    T ask() throws SQLException;
  }

  /** A database on a busy machine may take its time to answer at all. */
  private <T> T patiently(Question<T> question) throws SQLException {
    for (int i = 1; i < TRIES; i++) {
      try {
        return question.ask();
      } catch (SQLException e) {
        say("the database does not answer: " + e.getMessage());
        Pause.millis(RETRY_MILLIS);
      }
    }
    return question.ask();
  }

  private Outcome judge(PoolLoad load, WriteAudit audit, FaultRunner faults)
      throws SQLException, IOException {
    Map<Integer, String> returned = load.returned();
    Map<String, Boolean> dropped = load.dropped();
    awaitEnd(audit);
    PoolWrites writes = patiently(audit::read);
    AttemptLog log = AttemptLog.read(load.log());
    History history =
        new History(
            load.acknowledged(),
            returned,
            patiently(audit::jobs),
            load.tasks(),
            writes,
            log,
            load.told(),
            dropped,
            load.notices(),
            options.forgets());
    List<Violation> violations = new ArrayList<>(HistoryCheck.of(history));
    violations.addAll(faults.agentsThatEnded());
    say("faults: " + faults.counts());
    int tasks = history.jobs().stream().mapToInt(job -> job.tasks()).sum();
    say(
        "%d jobs with %d tasks, %d calls from Java, %d files dropped, %d answers to clients,"
            .concat(" %d attempts, %d epochs, %d results written")
            .formatted(
                history.jobs().size(),
                tasks,
                returned.size(),
                dropped.size(),
                history.told().size(),
                log.attempts(),
                writes.epochs().size(),
                writes.results()));
    failOvers.report(writes).forEach(this::say);
    violations.forEach(violation -> say("VIOLATION " + violation));
    return new Outcome(violations, tasks, log.attempts());
  }

  private void say(String what) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNanos);
    out.printf("%5d s  %s%n", seconds, what);
    out.flush();
    if (out.checkError()) {
      throw new ChaosException("nobody listens any more");
    }
  }
}
