package dev.imker.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import java.util.Arrays;
import java.util.Locale;

/**
 * No-op tasks end to end: server and agent in processes of their own, every state change durable in
 * SQLite. Throughput of one large job, then the latency of single tasks on the idle pool, from
 * submission over REST to the answer that reports it done.
 */
final class DispatchBench {
  private static final int WARM_UP = 200_000;
  private static final int ROUNDS = 5;
  private static final int SINGLE_WARM_UP = 200;
  private static final int SINGLES = 500;

  private DispatchBench() {}

  static void run(String... args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
    try (PoolProcesses pool = PoolProcesses.start()) {
      pool.addAgent("bench", 2);
      try (ApiClient api = pool.client()) {
        seconds(api, WARM_UP);
        double[] rates = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
          rates[i] = tasks / seconds(api, tasks);
          System.out.printf(Locale.ROOT, "round %d: %,.0f tasks/s%n", i + 1, rates[i]);
        }
        Arrays.sort(rates);
        double[] millis = singleLatencies(api);
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
  }

  private static double seconds(ApiClient api, int tasks) {
    long start = System.nanoTime();
    long job = NoopJobs.submit(api, "bench", tasks);
    new JobWatch(api, trouble -> {}).untilSettled(job, view -> {});
    return (System.nanoTime() - start) / 1e9;
  }

  private static double singleSeconds(ApiClient api) {
    long start = System.nanoTime();
    JsonNode job = api.post("/api/v1/jobs?wait=60", NoopJobs.spec("bench", 1));
    if (job.path("counts").path("done").asInt() != 1) {
      throw new IllegalStateException("not done: " + job);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double[] singleLatencies(ApiClient api) {
    for (int i = 0; i < SINGLE_WARM_UP; i++) {
      singleSeconds(api);
    }
    double[] millis = new double[SINGLES];
    for (int i = 0; i < SINGLES; i++) {
      millis[i] = singleSeconds(api) * 1000;
    }
    Arrays.sort(millis);
    return millis;
  }
}
