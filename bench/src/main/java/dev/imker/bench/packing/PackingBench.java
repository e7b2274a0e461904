package dev.imker.bench.packing;

import dev.imker.model.Platform;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.sim.SimResult;
import dev.imker.sim.SimRun;
import dev.imker.sim.Simulator;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Failures;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How well tasks of mixed sizes are packed while the queue is full: first in, first out without
 * backfill; the pool's scheduler in the simulator; and the bound, which keeps the scarcest resource
 * busy all the time. Argument: the strategy (survival).
 */
public final class PackingBench {
  private static final int SEEDS = 10;
  private static final int MAX_SECONDS = 100_000;
  private static final long SECOND = 1000;

  /** How far run times spread around the mean of their project: sigma of a log-normal. */
  private static final double SPREAD = 0.4;

  private static final Arrival SMALL = work("small", 12_000, 60, 1, 2, 0);
  private static final Arrival MEDIUM = work("medium", 1_200, 300, 4, 12, 0);

  /** The resource that all tasks together need for the longest time comes first. */
  private record Pool(String scarcest, String largest, SimConfig config) {}

  private static final List<Pool> POOLS =
      List.of(
          pool(
              "16 equal machines of 32 cores, 128 GB",
              "cores",
              List.of(machines(16, 32, 128, 0)),
              List.of(
                  SMALL,
                  MEDIUM,
                  work("large", 160, 600, 16, 48, 0),
                  work("whole", 80, 600, 32, 96, 0))),
          pool(
              "16 machines of 4 to 64 cores, 4 GB a core",
              "cores",
              List.of(
                  machines(4, 4, 16, 0),
                  machines(6, 8, 32, 0),
                  machines(4, 16, 64, 0),
                  machines(2, 64, 256, 0)),
              List.of(
                  SMALL,
                  MEDIUM,
                  work("memory", 300, 240, 2, 24, 0),
                  work("large", 24, 900, 48, 128, 0))),
          pool(
              "16 machines, 6 of them with 2 to 8 GPUs",
              "gpus",
              List.of(machines(10, 16, 64, 0), machines(4, 16, 128, 2), machines(2, 64, 256, 8)),
              List.of(
                  SMALL,
                  MEDIUM,
                  work("gpu", 1_200, 200, 2, 8, 1),
                  work("gpus", 24, 600, 16, 64, 8),
                  work("large", 48, 900, 24, 64, 0))));

  private PackingBench() {}

  public static void run(String... args) {
    String strategy = args.length > 0 ? args[0] : "survival";
    for (Pool pool : POOLS) {
      System.out.printf(
          Locale.ROOT,
          "%n%s; means of %d draws%n%-20s %20s %10s %10s %10s %20s%n",
          pool.config.name(),
          SEEDS,
          "",
          "of bound (least)",
          "cores",
          "memory",
          "gpus",
          "'" + pool.largest + "' waits [s]");
      List<SimRun> plain =
          IntStream.rangeClosed(1, SEEDS)
              .mapToObj(seed -> new FirstInFirstOut(pool.config, seed).run())
              .toList();
      print(pool, new SimResult(pool.config, "first in, first out", plain));
      print(pool, Simulator.run(pool.config, strategy, SEEDS, false, MAX_SECONDS, false));
    }
  }

  private static void print(Pool pool, SimResult result) {
    double least =
        result.runs().stream()
            .mapToDouble(
                run -> Objects.requireNonNull(run.used().get(pool.scarcest)).whileWaiting())
            .min()
            .orElse(0);
    int largest = pool.config.projects().indexOf(project(pool.largest));
    System.out.printf(
        Locale.ROOT,
        "%-20s %9.1f %% (%.1f %%) %8.1f %% %8.1f %% %8.1f %% %,20.0f%n",
        result.strategy(),
        used(result, pool.scarcest),
        least,
        used(result, "cores"),
        used(result, "memory"),
        used(result, "gpus"),
        60 * result.waited(largest).mean());
  }

  private static double used(SimResult result, String resource) {
    return result.resources().contains(resource) ? result.usedWhileWaiting(resource).mean() : 0;
  }

  private static Pool pool(
      String name, String scarcest, List<Machines> machines, List<Arrival> work) {
    SimConfig config =
        new SimConfig(name, machines, work, 1, 0, 1, false, false, SEEDS, SECOND, Map.of());
    String largest = work.getLast().project().name();
    return new Pool(scarcest, largest, config);
  }

  private static Machines machines(int count, int cores, int gigabytes, int gpus) {
    Platform platform =
        new Platform(
            "", "", "", "", cores, gpus, (long) gigabytes << 30, 0, 4000, Map.of(), Set.of());
    return new Machines(cores + " cores", count, 1, Failures.NEVER, null, 0, platform, 0);
  }

  private static Arrival work(
      String project, int tasks, int meanSeconds, int cores, int gigabytes, int gpus) {
    double median = meanSeconds * Math.exp(-SPREAD * SPREAD / 2);
    Need need = Need.NOTHING.withCores(cores).withMemory((long) gigabytes << 30).withGpus(gpus);
    return new Arrival(
        0, project(project), tasks, new RunTimes.LogNormal(median, SPREAD), Requirements.of(need));
  }

  private static ProjectId project(String name) {
    return new ProjectId("bench", name);
  }
}
