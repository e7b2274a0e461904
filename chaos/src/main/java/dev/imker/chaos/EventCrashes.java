package dev.imker.chaos;

import dev.imker.chaos.check.AttemptLog;
import dev.imker.chaos.check.History;
import dev.imker.chaos.check.HistoryCheck;
import dev.imker.chaos.check.PoolWrites;
import dev.imker.chaos.check.Violation;
import dev.imker.chaos.check.WriteAudit;
import dev.imker.chaos.check.WriteHalt;
import dev.imker.chaos.cluster.ChaosPool;
import dev.imker.chaos.cluster.Member;
import dev.imker.chaos.load.FailingJob;
import dev.imker.chaos.load.Halt;
import dev.imker.chaos.load.PlannedClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Jobs of which a task fails, again and again, each time with a crash after another one of their
 * events: whatever goes down when, they end as they do otherwise. An event is a line that a task
 * writes (it begins, is rescued, ends, begins to be undone, is undone), after which it stands still
 * until the crash is over, or a row that the server writes, in the middle of which the database
 * holds it (with PostgreSQL only).
 */
final class EventCrashes {
  /** What goes down. */
  private enum Victim {
    SERVERS,
    AGENTS,
    BOTH
  }

  private enum Event {
    LINE,
    WRITE
  }

  private record Crash(FailingJob kind, Event event, int number, Victim victim) {
    @Override
    public String toString() {
      return "%s, %s go down at %s %d".formatted(kind, victim, event, number);
    }
  }

  private final ChaosPool pool;
  private final WriteAudit audit;
  private final Optional<WriteHalt> writes;
  private final PlannedClient client;
  private final Path folder;
  private final Random random;
  private final Consumer<String> diary;
  private final List<String> lines = new ArrayList<>();
  private final List<Violation> violations = new ArrayList<>();
  private int jobs;
  private int crashes;

  private EventCrashes(
      ChaosPool pool,
      WriteAudit audit,
      Optional<WriteHalt> writes,
      PlannedClient client,
      Path folder,
      long seed,
      Consumer<String> diary) {
    this.pool = pool;
    this.audit = audit;
    this.writes = writes;
    this.client = client;
    this.folder = folder;
    this.random = new Random(seed);
    this.diary = diary;
  }

  /**
   * Lets all of them happen, or as many as are wanted, chosen by the seed.
   *
   * @param most 0 for all
   */
  static ChaosRun.Outcome run(
      ChaosPool pool, WriteAudit audit, Path folder, long seed, int most, Consumer<String> diary)
      throws SQLException, IOException {
    try (PlannedClient client = new PlannedClient(pool.context(), folder);
        WriteHalt writes = pool.isInFolder() ? null : new WriteHalt(pool.databaseUrl())) {
      return new EventCrashes(pool, audit, Optional.ofNullable(writes), client, folder, seed, diary)
          .run(most);
    }
  }

  private ChaosRun.Outcome run(int most) throws SQLException, IOException {
    List<Crash> all = new ArrayList<>();
    for (FailingJob kind : FailingJob.values()) {
      all.addAll(possible(kind));
    }
    Collections.shuffle(all, random);
    List<Crash> chosen = most == 0 ? all : all.subList(0, Math.min(most, all.size()));
    diary.accept("%d crashes are possible, %d are to happen".formatted(all.size(), chosen.size()));
    for (Crash crash : chosen) {
      let(crash);
    }
    return judge();
  }

  /** Finds out how many events there are by a run without a crash. */
  private List<Crash> possible(FailingJob kind) throws SQLException, IOException {
    Path log = begin(kind, Event.LINE, 0);
    check(kind, kind + " without a crash", client.end());
    int lineCount = (int) Halt.of(log).lines();
    lines.addAll(Files.readAllLines(log));
    List<Crash> all = new ArrayList<>();
    for (Victim victim : Victim.values()) {
      for (int line = 1; line <= lineCount; line++) {
        all.add(new Crash(kind, Event.LINE, line, victim));
      }
      for (int write = 1; writes.isPresent() && write <= writes.get().writes(); write++) {
        all.add(new Crash(kind, Event.WRITE, write, victim));
      }
    }
    return all;
  }

  private Path begin(FailingJob kind, Event event, int number) throws SQLException, IOException {
    Path log = folder.resolve("job-" + ++jobs + ".log");
    Halt halt = Halt.of(log);
    halt.never();
    if (writes.isPresent()) {
      writes.get().at(event == Event.WRITE ? number : 0);
    }
    if (event == Event.LINE && number > 0) {
      halt.after(number);
    }
    client.begin(kind, jobs, log);
    return log;
  }

  private void let(Crash crash) throws SQLException, IOException {
    Path log = begin(crash.kind, crash.event, crash.number);
    Halt halt = Halt.of(log);
    boolean reached =
        client.awaitUnlessEnded(
            () ->
                crash.event == Event.LINE
                    ? halt.isReached()
                    : writes.map(WriteHalt::isReached).orElse(false));
    List<Member> down = new ArrayList<>();
    if (reached) {
      crashes++;
      if (crash.victim != Victim.AGENTS) {
        down.addAll(pool.servers());
      }
      if (crash.victim != Victim.SERVERS) {
        down.addAll(pool.agents());
      }
      down.forEach(Member::kill);
    }
    halt.never();
    if (writes.isPresent()) {
      writes.get().release(crash.victim != Victim.AGENTS && random.nextBoolean());
    }
    down.forEach(Member::start);
    check(crash.kind, crash.toString(), client.end());
    lines.addAll(Files.readAllLines(log));
    diary.accept(crash + (reached ? "" : " (it ended before that)"));
  }

  private void check(FailingJob kind, String what, String told) {
    if (!kind.isRight(told)) {
      Violation wrong =
          new Violation(
              Violation.Promise.WHAT_WAS_TOLD_IS_TRUE,
              "job %d (%s) ended with: %s".formatted(jobs, what, told));
      diary.accept(wrong.toString());
      violations.add(wrong);
    }
  }

  private ChaosRun.Outcome judge() throws SQLException {
    PoolWrites written = audit.read();
    AttemptLog log = AttemptLog.of(lines);
    History history =
        new History(
            List.of(),
            Map.of(),
            audit.jobs(),
            List.of(),
            written,
            log,
            List.of(),
            Map.of(),
            List.of(),
            false);
    violations.addAll(HistoryCheck.of(history));
    diary.accept(
        "%d jobs with %d crashes, %d attempts, %d epochs"
            .formatted(jobs, crashes, log.attempts(), written.epochs().size()));
    violations.forEach(violation -> diary.accept("VIOLATION " + violation));
    return new ChaosRun.Outcome(List.copyOf(violations), jobs, log.attempts());
  }
}
