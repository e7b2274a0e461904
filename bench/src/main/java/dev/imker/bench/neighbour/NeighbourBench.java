package dev.imker.bench.neighbour;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How much an owner notices: work on all cores with and without a pool task on every core beside
 * it, in turns. A ratio of 1 means that nothing is noticed.
 */
public final class NeighbourBench {
  private static final double AIM = 0.97;

  private NeighbourBench() {}

  public static void run(String... args) throws Exception {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
    int cores = Runtime.getRuntime().availableProcessors();
    double[] alone = new double[rounds];
    double[] beside = new double[rounds];
    double[] ratios = new double[rounds];
    try (PoolProcesses pool = PoolProcesses.start();
        ForegroundWork.Runner foreground =
            new ForegroundWork.Runner(System.getProperty("java.class.path"))) {
      pool.addAgent("guest", cores);
      try (ApiClient api = pool.client()) {
        for (int i = 0; i < rounds; i++) {
          alone[i] = foreground.round();
          long job = begin(api, cores);
          beside[i] = foreground.round();
          end(api, job);
          ratios[i] = alone[i] / beside[i];
          System.out.printf(
              Locale.ROOT,
              "round %d: alone %.0f ms, beside pool tasks %.0f ms, ratio %.3f%n",
              i + 1,
              alone[i],
              beside[i],
              ratios[i]);
        }
      }
    }
    report(median(alone), median(beside), median(ratios), cores);
  }

  private static void report(double alone, double beside, double ratio, int cores) {
    System.out.println();
    System.out.println("| work on " + cores + " cores | median |");
    System.out.println("|---|---|");
    System.out.printf(Locale.ROOT, "| alone | %.0f ms |%n", alone);
    System.out.printf(Locale.ROOT, "| beside %d pool tasks | %.0f ms |%n", cores, beside);
    System.out.printf(Locale.ROOT, "| ratio | %.3f (%s, aim %.2f) |%n", ratio, verdict(ratio), AIM);
  }

  private static String verdict(double ratio) {
    return ratio >= AIM ? "reached" : "missed";
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long begin(ApiClient api, int tasks) throws InterruptedException {
    JobSpec spec =
        JobSpec.of(
            "busy",
            "bench",
            JobKind.COMMAND,
            Stage.of(
                List.of("while :; do :; done # ${n}"),
                List.of(SweepAxis.range("n", 1, tasks, 1, 0))));
    long job = api.post("/api/v1/jobs", spec).path("id").asLong();
    await(api, job, "running", tasks);
    // The session as a whole gets the lowest priority a moment after its start.
    TimeUnit.MILLISECONDS.sleep(500);
    return job;
  }

  private static void end(ApiClient api, long job) throws InterruptedException {
    api.post("/api/v1/jobs/" + job + "/cancel", Map.of());
    await(api, job, "running", 0);
    TimeUnit.MILLISECONDS.sleep(500);
  }

  private static void await(ApiClient api, long job, String state, int count)
      throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      JsonNode counts = api.get("/api/v1/jobs/" + job).path("counts");
      if (counts.path(state).asInt() == count) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IllegalStateException("job " + job + " does not have " + count + " " + state);
  }
}
