package dev.imker.bench;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.job.JobSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * A large job from a job file: submitted, listed, filtered and cancelled, each seen from a client
 * over REST with all of it on disk. The values come from a table, so that the job is as large on
 * the wire as it is in tasks. No agent is connected.
 */
final class JobsBench {
  private static final int ROUNDS = 5;

  private final ApiClient api;

  private JobsBench(ApiClient api) {
    this.api = api;
  }

  static void run(String... args) throws Exception {
    int tasks = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    Path folder = Files.createTempDirectory("imker-jobs");
    StringBuilder table = new StringBuilder("seed,city\n");
    for (int i = 0; i < tasks; i++) {
      table.append(i).append(",city-").append(i % 1000).append('\n');
    }
    Files.writeString(folder.resolve("table.csv"), table);
    try (PoolProcesses pool = PoolProcesses.start();
        ApiClient api = pool.client()) {
      new JobsBench(api).measure(folder, tasks);
    }
  }

  private void measure(Path folder, int tasks) {
    double[][] millis = new double[5][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      JobSpec spec = read(folder);
      long id = api.post("/api/v1/jobs", spec).path("id").asLong();
      millis[0][round] = (System.nanoTime() - start) / 1e6;
      String path = "/api/v1/jobs/" + id;
      millis[1][round] = millis(() -> api.get("/api/v1/jobs?limit=50"));
      millis[2][round] = millis(() -> api.get(path + "/tasks?limit=100&from=" + tasks / 2));
      millis[3][round] = millis(() -> api.get(path + "/tasks?state=FAILED&limit=100"));
      Map<String, Object> cancel =
          Map.of(
              "action",
              "cancel",
              "filter",
              Map.of("project", "bench", "states", new String[] {"READY"}));
      millis[4][round] = millis(() -> api.post("/api/v1/bulk", cancel));
    }
    System.out.println("| " + tasks + " tasks from a table | median ms | worst ms |");
    System.out.println("|---|---|---|");
    String[] names = {
      "read and submit", "list jobs", "list 100 tasks", "filter tasks", "cancel by query"
    };
    for (int i = 0; i < names.length; i++) {
      Arrays.sort(millis[i]);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f |%n",
          names[i],
          millis[i][ROUNDS / 2],
          millis[i][ROUNDS - 1]);
    }
  }

  private static JobSpec read(Path folder) {
    String yaml =
        "name: large\nproject: bench\ncommand: run ${seed} ${city}\nsweep: {csv: table.csv}";
    return JobFileReader.read("large.yaml", yaml, JobFiles.in(folder)).orThrow().getFirst().spec();
  }

  private static double millis(Runnable call) {
    long start = System.nanoTime();
    call.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
