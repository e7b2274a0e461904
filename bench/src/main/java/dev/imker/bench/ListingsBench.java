package dev.imker.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.bench.pool.NoopJobs;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Pages, filters and orders over a job of a million tasks that all have a row on disk: most of them
 * done, the others cancelled. Measured while the job is in the server's memory, and again after a
 * restart, when it is on disk only.
 */
final class ListingsBench {
  private static final int ROUNDS = 30;
  private static final double CANCELLED_SHARE = 0.01;

  private final ApiClient api;
  private final Map<String, String> requests = new LinkedHashMap<>();

  private ListingsBench(ApiClient api, long job, int tasks) {
    this.api = api;
    String path = "/api/v1/jobs/" + job + "/tasks?limit=100";
    requests.put("list jobs", "/api/v1/jobs?limit=50");
    requests.put("first 100 tasks", path);
    requests.put("100 tasks in the middle", path + "&from=" + tasks / 2);
    requests.put("cancelled tasks", path + "&state=CANCELLED");
    requests.put("failed tasks (none)", path + "&state=FAILED");
    requests.put("done tasks in the middle", path + "&state=DONE&from=" + tasks / 2);
    requests.put("longest first", path + "&sort=-duration");
    requests.put("longest first, page in the middle", path + "&sort=-duration&from=" + tasks / 2);
  }

  static void run(String... args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    try (PoolProcesses pool = PoolProcesses.start()) {
      long job;
      try (ApiClient api = pool.client()) {
        job = NoopJobs.submit(api, "bench", tasks);
        int last = (int) (tasks * (1 - CANCELLED_SHARE));
        api.post("/api/v1/jobs/" + job + "/cancel", Map.of("from", last + 1, "to", tasks));
        pool.addAgent("worker", 4);
        awaitSettled(api, job);
        new ListingsBench(api, job, tasks).measure("in memory or just settled");
      }
      pool.restartServer();
      try (ApiClient api = pool.client()) {
        new ListingsBench(api, job, tasks).measure("after a restart");
      }
    }
  }

  private static void awaitSettled(ApiClient api, long job) {
    JsonNode view = api.get("/api/v1/jobs/" + job + "?wait=60");
    while (view.path("settled").isNull()) {
      view = api.get("/api/v1/jobs/" + job + "?wait=60");
    }
  }

  private void measure(String when) {
    System.out.println("| " + when + " | first ms | median ms | worst of the others ms |");
    System.out.println("|---|---|---|---|");
    requests.forEach(
        (what, path) -> {
          double[] millis = new double[ROUNDS];
          for (int i = 0; i < ROUNDS; i++) {
            long start = System.nanoTime();
            api.get(path);
            millis[i] = (System.nanoTime() - start) / 1e6;
          }
          double[] others = Arrays.copyOfRange(millis, 1, ROUNDS);
          Arrays.sort(others);
          System.out.printf(
              Locale.ROOT,
              "| %s | %.1f | %.1f | %.1f |%n",
              what,
              millis[0],
              others[others.length / 2],
              others[others.length - 1]);
        });
  }
}
