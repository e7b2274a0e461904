package dev.imker.bench.pool;

import dev.imker.cli.api.ApiClient;
import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.coordination.Coordination;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What members of one program get done together: counters, locks, queues and barriers, each change
 * durable before it is answered, in SQLite, in PostgreSQL, and in a ZooKeeper of one server.
 * Members are threads that ask over HTTP, as programs do.
 */
public final class CoordinationBench {
  private static final int MEMBERS = 16;
  private static final int BARRIER = 8;

  /** What a member does again and again. */
  @FunctionalInterface
  private interface Round {
    void run(Coordination shared, int member) throws InterruptedException;
  }

  private record Figures(double rate, double p50, double p99) {}

  private final String store;
  private final ImkerExecutor program;
  private final long nanos;

  private CoordinationBench(String store, ImkerExecutor program, long seconds) {
    this.store = store;
    this.program = program;
    nanos = TimeUnit.SECONDS.toNanos(seconds);
  }

  public static void run(String... args) throws Exception {
    long seconds = args.length > 0 ? Long.parseLong(args[0]) : 10;
    System.out.println("| what | kept in | members | a second | p50, ms | p99, ms |");
    System.out.println("|---|---|---:|---:|---:|---:|");
    try (PoolProcesses pool = PoolProcesses.start()) {
      measure("SQLite", pool, seconds);
    }
    try (EmbeddedPostgres database = PoolProcesses.durablePostgres()) {
      String url = database.getJdbcUrl("postgres", "postgres");
      try (PoolProcesses pool = PoolProcesses.onDatabase(url)) {
        measure("PostgreSQL", pool, seconds);
      }
    }
    Path folder = Files.createTempDirectory("imker-bench-zookeeper-");
    int port = freePort();
    Process zookeeper = zookeeper(folder, port);
    try (EmbeddedPostgres database = PoolProcesses.durablePostgres()) {
      String url = database.getJdbcUrl("postgres", "postgres");
      try (PoolProcesses pool = PoolProcesses.onDatabase(url, "127.0.0.1:" + port)) {
        measure("ZooKeeper", pool, seconds);
      }
    } finally {
      zookeeper.destroy();
      zookeeper.waitFor();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** As it is set up by default; it syncs what it writes. */
  private static Process zookeeper(Path folder, int port) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            PoolProcesses.jar().toString(),
            "org.apache.zookeeper.server.ZooKeeperServerMain",
            Integer.toString(port),
            folder.toString(),
            "2000")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void measure(String store, PoolProcesses pool, long seconds) throws Exception {
    try (ApiClient api = pool.client()) { // what one account may ask is not what is measured
      api.put("/api/v1/settings", Map.of("http.requests-per-second", "900000"));
    }
    try (Imker imker = pool.connect();
        ImkerExecutor program = imker.executor()) {
      CoordinationBench bench = new CoordinationBench(store, program, seconds);
      Round lock =
          (shared, _) -> {
            var _ = shared.lock("door").acquire();
            shared.lock("door").release();
          };
      bench.measure(
          "counter: add, one for all",
          MEMBERS,
          (shared, _) -> {
            var _ = shared.counter("sum").add(1);
          });
      bench.measure(
          "counter: add, one for each",
          MEMBERS,
          (shared, member) -> {
            var _ = shared.counter("own-" + member).add(1);
          });
      bench.measure("lock: acquire and release, nobody else wants it", 1, lock);
      bench.measure("lock: acquire and release, all want it", MEMBERS, lock);
      bench.measure(
          "queue: put and take",
          MEMBERS,
          (shared, _) -> {
            shared.queue("line").put("next");
            var _ = shared.queue("line").take();
          });
      bench.measure(
          "barrier of %d: enter and leave".formatted(BARRIER),
          BARRIER,
          (shared, _) -> {
            var barrier = shared.barrier("round", BARRIER);
            barrier.enter();
            barrier.leave();
          });
    }
  }

  private void measure(String what, int members, Round round) throws Exception {
    times(members, round, nanos / 4); // a warm server
    Figures figures = times(members, round, nanos);
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %d | %,.0f | %.1f | %.1f |%n",
        what,
        store,
        members,
        figures.rate,
        figures.p50,
        figures.p99);
  }

  /** All members take the same number of rounds, so that nobody is left alone at a barrier. */
  private Figures times(int members, Round round, long forNanos) throws Exception {
    List<Long> all = new ArrayList<>();
    long begun = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int rounds = 1;
          System.nanoTime() - begun < forNanos;
          rounds = Math.min(50, 2 * rounds)) {
        List<Future<List<Long>>> futures = new ArrayList<>();
        for (int i = 0; i < members; i++) {
          futures.add(threads.submit(member(i, round, rounds)));
        }
        for (Future<List<Long>> future : futures) {
          all.addAll(future.get());
        }
      }
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    long[] sorted = all.stream().mapToLong(Long::longValue).toArray();
    Arrays.sort(sorted);
    return new Figures(
        sorted.length / seconds,
        sorted[sorted.length / 2] / 1e6,
        sorted[(int) (sorted.length * 0.99)] / 1e6);
  }

  private Callable<List<Long>> member(int number, Round round, int rounds) {
    Coordination shared = program.coordination();
    return () -> {
      List<Long> took = new ArrayList<>(rounds);
      for (int i = 0; i < rounds; i++) {
        long begun = System.nanoTime();
        round.run(shared, number);
        took.add(System.nanoTime() - begun);
      }
      return took;
    };
  }
}
