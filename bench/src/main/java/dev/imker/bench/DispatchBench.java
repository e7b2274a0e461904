package dev.imker.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.bench.pool.KeepAliveClient;
import dev.imker.bench.pool.NoopJobs;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/**
 * No-op tasks end to end: server and agent in processes of their own, every state change durable in
 * SQLite or, as second argument {@code postgresql}, in a PostgreSQL server. Throughput of one large
 * job, then the latency of single tasks on the idle pool, from submission over REST to the answer
 * that reports it done.
 */
final class DispatchBench {
  private static final int WARM_UP = 100_000;
  private static final int ROUNDS = 5;
  private static final int SINGLE_WARM_UP = 2_000;
  private static final int SINGLES = 1_000;

  private DispatchBench() {}

  static void run(String... args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
    if (args.length > 1 && args[1].equals("postgresql")) {
      try (EmbeddedPostgres database = PoolProcesses.durablePostgres();
          PoolProcesses pool =
              PoolProcesses.onDatabase(database.getJdbcUrl("postgres", "postgres"))) {
        measure(pool, tasks);
      }
    } else {
      try (PoolProcesses pool = PoolProcesses.start()) {
        measure(pool, tasks);
      }
    }
  }

  private static void measure(PoolProcesses pool, int tasks) throws Exception {
    pool.addAgent("bench", 2);
    try (ApiClient api = pool.client()) {
      seconds(api, WARM_UP);
      double[] rates = new double[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        rates[i] = tasks / seconds(api, tasks);
        System.out.printf(Locale.ROOT, "round %d: %,.0f tasks/s%n", i + 1, rates[i]);
      }
      Arrays.sort(rates);
      double[] millis = singleLatencies(pool);
      System.out.println();
      System.out.println("| what | figure |");
      System.out.println("|---|---|");
      System.out.printf(
          Locale.ROOT,
          "| no-op tasks a second, durable, median of %d rounds of %,d | %,.0f |%n",
          ROUNDS,
          tasks,
          rates[ROUNDS / 2]);
      System.out.printf(
          Locale.ROOT, "| one task submit→done, p50 | %.2f ms |%n", millis[SINGLES / 2]);
      System.out.printf(
          Locale.ROOT, "| one task submit→done, p99 | %.2f ms |%n", millis[SINGLES * 99 / 100]);
    }
  }

  private static double seconds(ApiClient api, int tasks) {
    long start = System.nanoTime();
    long job = NoopJobs.submit(api, "bench", tasks);
    new JobWatch(api, trouble -> {}).untilSettled(job, view -> {});
    return (System.nanoTime() - start) / 1e9;
  }

  private static double[] singleLatencies(PoolProcesses pool) throws IOException {
    byte[] job = ApiClient.json().writeValueAsBytes(NoopJobs.spec("bench", 1));
    double[] millis = new double[SINGLES];
    try (KeepAliveClient client = pool.keepAliveClient()) {
      for (int i = 0; i < SINGLE_WARM_UP; i++) {
        singleMillis(client, job);
      }
      for (int i = 0; i < SINGLES; i++) {
        millis[i] = singleMillis(client, job);
      }
    }
    Arrays.sort(millis);
    return millis;
  }

  private static double singleMillis(KeepAliveClient client, byte[] job) throws IOException {
    long start = System.nanoTime();
    String answer = client.post("/api/v1/jobs?wait=60", job);
    long nanos = System.nanoTime() - start;
    JsonNode view = ApiClient.json().readTree(answer);
    if (view.path("counts").path("done").asInt() != 1) {
      throw new IllegalStateException("not done: " + answer);
    }
    return nanos / 1e6;
  }
}
