package dev.imker.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ProjectId;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.sim.Simulator;
import dev.imker.sim.Spread;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Failures;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Twelve agents as processes of their own, each a node, some of which are killed at random again
 * and again, under every strategy; next to the same pool in the simulator. Time is compressed: a
 * minute takes {@link #STEP_MILLIS}. What counts is the order of the strategies by lost work, where
 * they differ by more than runs of one strategy do.
 *
 * <p>Arguments: minutes of the pool (300), runs of each strategy (5), then the strategies (all).
 */
final class RealPoolBench {
  static final long STEP_MILLIS = 400;

  private static final long SEED = 20_261_115;
  private static final int MINUTES = 300;
  private static final int RUNS = 5;
  private static final int UNTIL_MINUTES = 20_000;

  /** Strategies differ where their means do by so many standard errors of the difference. */
  private static final double SURELY = 2;

  /** Work lost of a strategy, in percent, simulated and in the real pool. */
  private record Lost(String strategy, Spread simulated, Spread real) {}

  private final SimConfig config;

  private RealPoolBench(int minutes) {
    this.config =
        new SimConfig(
            "dozen",
            List.of(
                machines("solid", 7, Failures.NEVER),
                machines("frail", 5, new Failures.Ramp(0.05, 0.05, 0, 0, 1))),
            List.of(work("short", 5 * minutes / 4, 4), work("long", minutes / 8, 40)),
            minutes,
            0,
            5,
            true,
            false,
            20);
  }

  private static Machines machines(String name, int count, Failures failures) {
    return new Machines(name, count, 4000, 1, failures, null, 0);
  }

  private static Arrival work(String project, int tasks, double minutes) {
    return new Arrival(0, new ProjectId("bench", project), tasks, new RunTimes.Fixed(minutes));
  }

  static void run(String... args) throws Exception {
    int minutes = args.length > 0 ? Integer.parseInt(args[0]) : MINUTES;
    int runs = args.length > 1 ? Integer.parseInt(args[1]) : RUNS;
    List<String> strategies =
        args.length > 2 ? List.of(args).subList(2, args.length) : TablesBench.STRATEGIES;
    RealPoolBench bench = new RealPoolBench(minutes);
    List<Lost> all = new ArrayList<>();
    for (String strategy : strategies) {
      all.add(bench.lost(strategy, runs));
    }
    System.out.println("\n| strategy | work lost, simulated | work lost, 12 real agents |");
    System.out.println("|---|---|---|");
    all.stream()
        .sorted(Comparator.comparingDouble(one -> one.real.mean()))
        .forEach(
            one ->
                System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f ± %.1f %% | %.1f ± %.1f %% |%n",
                    one.strategy,
                    one.simulated.mean(),
                    one.simulated.sd(),
                    one.real.mean(),
                    one.real.sd()));
    compare(all, runs);
  }

  /** Says which pairs of strategies surely differ both ways, and which of them in other orders. */
  private static void compare(List<Lost> all, int runs) {
    int sure = 0;
    List<String> reversed = new ArrayList<>();
    for (Lost one : all) {
      for (Lost other : all) {
        if (surelyLess(one.real, other.real, runs)) {
          if (surelyLess(one.simulated, other.simulated, runs)) {
            sure++;
          } else if (surelyLess(other.simulated, one.simulated, runs)) {
            sure++;
            reversed.add(one.strategy + " before " + other.strategy);
          }
        }
      }
    }
    System.out.printf(
        "%nOf %d pairs of strategies that differ surely in both, %d are in the same order.%n",
        sure, sure - reversed.size());
    reversed.forEach(pair -> System.out.println("In the real pool, not simulated: " + pair));
  }

  private static boolean surelyLess(Spread one, Spread other, int runs) {
    double error = Math.sqrt((one.sd() * one.sd() + other.sd() * other.sd()) / runs);
    return other.mean() - one.mean() > SURELY * error;
  }

  private Lost lost(String strategy, int runs) throws Exception {
    Spread kept = Simulator.run(config, strategy, runs, false, UNTIL_MINUTES, false).avEff();
    double[] real = new double[runs];
    for (int i = 0; i < runs; i++) {
      real[i] = 100 * (1 - realEfficiency(strategy, SEED + i));
      System.out.printf(
          Locale.ROOT,
          "%s, run %d: %.1f %% lost (simulated: %.1f %%)%n",
          strategy,
          i + 1,
          real[i],
          100 - kept.mean());
    }
    return new Lost(strategy, new Spread(100 - kept.mean(), kept.sd()), Spread.of(real));
  }

  /** Share of worked time that was not lost. */
  private double realEfficiency(String strategy, long seed) throws Exception {
    Path log = Files.createTempFile("imker-real-pool-", ".log");
    try (PoolProcesses pool = PoolProcesses.start("-Dimker.minuteMillis=" + STEP_MILLIS)) {
      try (ApiClient api = pool.client()) {
        api.put("/api/v1/strategy", choice(strategy));
        List<RealNode> nodes = startNodes(pool);
        for (Arrival arrival : config.arrivals()) {
          submit(api, arrival, log);
        }
        torment(pool, nodes, seed);
        AttemptJournal attempts = AttemptJournal.read(log, System.currentTimeMillis());
        for (RealNode node : nodes) {
          attempts.lose(node.home().toString(), node.deathsMillis());
        }
        return attempts.efficiency();
      }
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /** {@code name:key=value,…} as the server takes it. */
  private static Map<String, Object> choice(String strategy) {
    int colon = strategy.indexOf(':');
    Map<String, String> parameters = new LinkedHashMap<>();
    if (colon > 0) {
      for (String parameter : strategy.substring(colon + 1).split(",", -1)) {
        int equals = parameter.indexOf('=');
        parameters.put(parameter.substring(0, equals), parameter.substring(equals + 1));
      }
    }
    String name = colon > 0 ? strategy.substring(0, colon) : strategy;
    return Map.of("name", name, "parameters", parameters);
  }

  private List<RealNode> startNodes(PoolProcesses pool) throws Exception {
    List<RealNode> nodes = new ArrayList<>();
    for (Machines kind : config.machines()) {
      for (int i = 0; i < kind.count(); i++) {
        String name = kind.name() + "-" + (i + 1);
        nodes.add(new RealNode(pool.home(name), name, kind.failures(), new ArrayList<>()));
        pool.addNode(name, 1);
      }
    }
    return nodes;
  }

  private static void submit(ApiClient api, Arrival arrival, Path log) {
    double seconds = arrival.runTimes().draw(new Random(1)) * STEP_MILLIS / 1000.0;
    String note = " $IMKER_TASK $HOME $(date +%s%3N)\" >> " + log;
    String command = "echo \"b" + note + "; sleep " + seconds + "; echo \"e" + note + " # ${n}";
    JsonNode job =
        api.post(
            "/api/v1/jobs",
            JobSpec.of(
                arrival.project().name(),
                arrival.project().name(),
                JobKind.COMMAND,
                Stage.of(List.of(command), List.of(SweepAxis.range("n", 1, arrival.count(), 1, 0)))
                    .withRules(
                        TaskRules.USUAL.withLimits(100, TaskRules.DEFAULT_MAX_RUNTIME_MILLIS))));
    if (!job.hasNonNull("id")) {
      throw new IllegalStateException("not submitted: " + job);
    }
  }

  /** Lets the minutes pass and kills agents by their models; they start again at once. */
  private void torment(PoolProcesses pool, List<RealNode> nodes, long seed) throws Exception {
    Random random = new Random(seed);
    int[] upMinutes = new int[nodes.size()];
    long start = System.nanoTime();
    for (int minute = 1; minute <= config.minutes(); minute++) {
      long due = start + TimeUnit.MILLISECONDS.toNanos(minute * STEP_MILLIS);
      TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
      for (int i = 0; i < nodes.size(); i++) {
        RealNode node = nodes.get(i);
        upMinutes[i]++;
        if (random.nextDouble() < node.failures().probability(minute, upMinutes[i])) {
          pool.killAgent(node.name());
          node.deathsMillis().add(System.currentTimeMillis());
          upMinutes[i] = 0;
          pool.startAgent(node.name(), 1);
        }
      }
    }
  }

  /** A node of the real pool, and when it was killed. */
  private record RealNode(Path home, String name, Failures failures, List<Long> deathsMillis) {}
}
