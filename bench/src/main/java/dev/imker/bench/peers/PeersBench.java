package dev.imker.bench.peers;

import dev.imker.bench.peers.queue.Library;
import dev.imker.bench.peers.queue.QueuePeer;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.bench.pool.ProcessFigures;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The same work on Imker and on what people would take instead, in turns within one run. Each is
 * configured as its documentation advises; the settings are printed. What is not installed is left
 * out with the line that installs it.
 */
public final class PeersBench {
  private static final int ROUNDS = 5;
  private static final int WARM_UP_SINGLES = 200;
  private static final int SINGLES = 21;
  private static final long RERUN_PATIENCE_SECONDS = 60;

  /** A contender and how many tasks it gets a round, so that each round takes seconds. */
  private record Candidate(Start start, int tasks, int singles) {}

  private interface Start {
    Peer peer() throws Exception;
  }

  private final int divisor;

  /** Of what takes a contender of its own each time. */
  private final int startRounds;

  private PeersBench(int divisor, int startRounds) {
    this.divisor = divisor;
    this.startRounds = startRounds;
  }

  public static void run(String... args) throws Exception {
    List<String> words = Arrays.asList(args);
    boolean small = words.contains("small");
    boolean once = small || words.contains("once");
    List<String> groups =
        words.stream().filter(word -> !word.equals("small") && !word.equals("once")).toList();
    PeersBench bench = new PeersBench(small ? 10 : 1, once ? 1 : ROUNDS);
    Runtime.getRuntime() // also after Ctrl-C
        .addShutdownHook(
            new Thread(
                () ->
                    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
    System.out.println(
        ROUNDS
            + " rounds in turns; median (least–largest). Load when it began: "
            + load()
            + "; temporary files on "
            + Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir"))).type()
            + ".");
    if (wanted(groups, "queues")) {
      bench.queues();
    }
    if (wanted(groups, "calls")) {
      bench.calls();
    }
    if (wanted(groups, "commands")) {
      CommandTools.run(ROUNDS, 10_000 / bench.divisor);
    }
    if (wanted(groups, "workflows")) {
      WorkflowTools.run(ROUNDS, 200 / bench.divisor);
    }
    if (wanted(groups, "python")) {
      PythonTools.run(ROUNDS, 1000 / bench.divisor);
    }
    System.out.println("\nLoad when it ended: " + load() + ".");
  }

  private static boolean wanted(List<String> groups, String group) {
    return groups.isEmpty() || groups.contains(group);
  }

  private static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }

  // ---------------------------------------------------------------- groups

  /** Durable background jobs: all on one PostgreSQL server that syncs. */
  private void queues() throws Exception {
    try (EmbeddedPostgres database = PoolProcesses.durablePostgres()) {
      List<Candidate> candidates = new ArrayList<>();
      candidates.add(
          new Candidate(
              () -> ImkerPeer.tasks("Imker", PoolProcesses.onDatabase(newDatabase(database))),
              100_000,
              SINGLES));
      for (Library library : Library.values()) {
        candidates.add(
            new Candidate(
                () -> new QueuePeer(library, newDatabase(database)),
                switch (library) {
                  case DB_SCHEDULER -> 5_000;
                  case JOBRUNR -> 2_000;
                  case QUARTZ -> 1_000;
                },
                library == Library.JOBRUNR ? 3 : SINGLES));
      }
      compare("queues", "Durable no-op tasks a second on PostgreSQL", candidates);
    }
  }

  private static int databases;

  private static String newDatabase(EmbeddedPostgres server) throws SQLException {
    databases++;
    String name = "bench" + databases;
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    }
    return server.getJdbcUrl("postgres", name);
  }

  private void calls() throws Exception {
    compare(
        "calls",
        "No-op Java calls a second",
        List.of(
            new Candidate(() -> ImkerPeer.calls(PoolProcesses.start()), 100_000, SINGLES),
            new Candidate(JppfPeer::new, 20_000, SINGLES)));
  }

  // ---------------------------------------------------------------- measures

  private void compare(String group, String title, List<Candidate> candidates) throws Exception {
    List<Series> rates = new ArrayList<>();
    List<Series> warm = new ArrayList<>();
    List<Series> memory = new ArrayList<>();
    List<Peer> peers = new ArrayList<>();
    try {
      for (Candidate candidate : candidates) {
        peers.add(candidate.start.peer());
      }
      System.out.println();
      for (Peer peer : peers) {
        System.out.println(peer.name() + ": " + peer.settings() + ".");
        for (List<Series> kind : List.of(rates, warm, memory)) {
          kind.add(new Series(peer.name()));
        }
      }
      for (int i = 0; i < peers.size(); i++) {
        var _ = peers.get(i).seconds(candidates.get(i).tasks / divisor);
      }
      for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < peers.size(); i++) {
          int tasks = candidates.get(i).tasks / divisor;
          rates.get(i).add(tasks / peers.get(i).seconds(tasks));
          memory.get(i).add(megabytes(peers.get(i)));
        }
      }
      for (int i = 0; i < peers.size(); i++) {
        int singles = candidates.get(i).singles;
        for (int n = 0; n < (singles < SINGLES ? 0 : WARM_UP_SINGLES / divisor); n++) {
          var _ = peers.get(i).seconds(1);
        }
        for (int n = 0; n < singles; n++) {
          warm.get(i).add(1000 * peers.get(i).seconds(1));
        }
      }
    } finally {
      for (Peer peer : peers) {
        peer.close();
      }
    }
    print(title, rates, true);
    print("One task on the idle pool, ms, after warm-up", warm, false);
    print(
        "Resident memory of all its processes after work, MB (without PostgreSQL)", memory, false);
    BarPlot.write(plot(group), title, rates);
    startAndKill(rates.stream().map(Series::name).toList(), candidates);
  }

  /** Everything that takes a contender of its own: its first task, and what follows a kill. */
  private void startAndKill(List<String> names, List<Candidate> candidates) throws Exception {
    List<Series> fresh = names.stream().map(Series::new).toList();
    List<Series> service = names.stream().map(Series::new).toList();
    List<Series> rerun = names.stream().map(Series::new).toList();
    Set<Integer> slow = new HashSet<>();
    for (int round = 0; round < startRounds; round++) {
      for (int i = 0; i < candidates.size(); i++) {
        try (Peer peer = candidates.get(i).start.peer()) {
          fresh.get(i).add(1000 * peer.seconds(1));
          service.get(i).add(serviceSeconds(peer));
          if (!slow.contains(i)) {
            double seconds = rerunSeconds(peer);
            if (seconds < RERUN_PATIENCE_SECONDS) {
              rerun.get(i).add(seconds);
            } else {
              slow.add(i);
            }
          }
        }
      }
    }
    print("One task on the idle pool, ms, the first of a fresh start", fresh, false);
    print("From SIGKILL of the server to a task done, s", service, false);
    print(
        "From SIGKILL of a worker to its task begun elsewhere, s (–: not within "
            + RERUN_PATIENCE_SECONDS
            + " s)",
        rerun,
        false);
  }

  static Path plot(String group) throws IOException {
    Path folder = Path.of(System.getProperty("imker.root", "."), "docs/pictures");
    return Files.createDirectories(folder).resolve("peers-" + group + ".svg");
  }

  private static double serviceSeconds(Peer peer) throws Exception {
    long start = System.nanoTime();
    peer.killAndRestartServer();
    var _ = peer.seconds(1);
    return (System.nanoTime() - start) / 1e9;
  }

  private static double rerunSeconds(Peer peer) throws Exception {
    Path folder = Files.createTempDirectory("peers-");
    Path file = folder.resolve("begun");
    try {
      peer.beginEndless(file);
      var _ = secondsUntil(file, 1);
      peer.addWorker();
      long start = System.nanoTime();
      peer.killFirstWorker();
      var _ = secondsUntil(file, 2);
      return (System.nanoTime() - start) / 1e9;
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /** Until a file has so many lines, or patience is over. */
  private static double secondsUntil(Path file, int lines)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    while ((Files.exists(file) ? Files.readAllLines(file).size() : 0) < lines
        && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(RERUN_PATIENCE_SECONDS)) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double megabytes(Peer peer) throws IOException {
    double sum = 0;
    for (long process : peer.processes()) {
      sum += ProcessFigures.residentMegabytes(process);
    }
    return sum;
  }

  /**
   * A table; the ratio is that of the first to each, turned so that above 1 the first is better.
   */
  static void print(String title, List<Series> all, boolean moreIsBetter) {
    System.out.println("\n| " + title + " | | Imker is better by |\n|---|---:|---:|");
    for (Series series : all) {
      Series ratio = moreIsBetter ? series.ratio(all.getFirst()) : all.getFirst().ratio(series);
      String text = series == all.getFirst() ? "" : ratio.isEmpty() ? "–" : ratio.text() + " ×";
      System.out.println("| " + series.name() + " | " + series.text() + " | " + text + " |");
    }
  }
}
