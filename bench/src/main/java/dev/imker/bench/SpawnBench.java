package dev.imker.bench;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** {@code true} as a process many times, through the pool and through xargs, in turns. */
final class SpawnBench {
  private static final int WARM_UP_ROUNDS = 5;
  private static final int ROUNDS = 9;

  private SpawnBench() {}

  static void run(String... args) throws Exception {
    int processes = args.length > 0 ? Integer.parseInt(args[0]) : 2000;
    int parallel = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    String sandbox = args.length > 2 ? args[2] : "auto";
    try (PoolProcesses pool = PoolProcesses.start()) {
      pool.addNode("bench", parallel, "sandbox: " + sandbox + "\n");
      try (ApiClient api = pool.client()) {
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
          throughPool(api, processes);
          throughXargs(processes, parallel);
        }
        double[] ours = new double[ROUNDS];
        double[] xargs = new double[ROUNDS];
        double[] ratios = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
          ours[i] = processes / throughPool(api, processes);
          xargs[i] = processes / throughXargs(processes, parallel);
          ratios[i] = ours[i] / xargs[i];
          System.out.printf(
              Locale.ROOT, "round %d: %,.0f/s, xargs %,.0f/s%n", i + 1, ours[i], xargs[i]);
        }
        Arrays.sort(ours);
        Arrays.sort(xargs);
        Arrays.sort(ratios);
        System.out.println();
        System.out.println("| processes a second, " + parallel + " at a time | median |");
        System.out.println("|---|---|");
        System.out.printf(Locale.ROOT, "| Imker, end to end | %,.0f |%n", ours[ROUNDS / 2]);
        System.out.printf(Locale.ROOT, "| xargs -P %d | %,.0f |%n", parallel, xargs[ROUNDS / 2]);
        System.out.printf(Locale.ROOT, "| ratio | %.2f |%n", ratios[ROUNDS / 2]);
      }
    }
  }

  private static double throughPool(ApiClient api, int processes) {
    JobSpec spec =
        JobSpec.of(
            "spawn",
            "bench",
            JobKind.COMMAND,
            Stage.of(
                    List.of("/bin/true", "${n}"), List.of(SweepAxis.range("n", 1, processes, 1, 0)))
                .withFiles(List.of(), List.of("*"))
                .withRules(TaskRules.USUAL.withLimits(1, TaskRules.DEFAULT_MAX_RUNTIME_MILLIS)));
    long start = System.nanoTime();
    long job = api.post("/api/v1/jobs", spec).path("id").asLong();
    long done =
        new JobWatch(api, trouble -> {})
            .untilSettled(job, view -> {})
            .path("counts")
            .path("done")
            .asLong();
    if (done != processes) {
      throw new IllegalStateException(done + " of " + processes + " done");
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double throughXargs(int processes, int parallel)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process xargs =
        new ProcessBuilder(
                "sh", "-c", "seq " + processes + " | xargs -P " + parallel + " -n 1 /bin/true")
            .inheritIO()
            .start();
    if (xargs.waitFor() != 0) {
      throw new IOException("xargs failed");
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
