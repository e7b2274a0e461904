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
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Failures;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Twelve agents as processes of their own, each a node, some of which are killed at random again
 * and again, under several strategies; next to the same pool in the simulator. Time is compressed:
 * a minute takes {@link #STEP_MILLIS}. What counts is the order of the strategies by lost work.
 *
 * <p>Arguments: minutes of the pool (300), then the strategies.
 */
final class RealPoolBench {
  static final long STEP_MILLIS = 400;

  private static final long SEED = 20_261_115;
  private static final List<String> STRATEGIES = List.of("random", "combined-improved", "survival");

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
    int minutes = args.length > 0 ? Integer.parseInt(args[0]) : 300;
    List<String> strategies = args.length > 1 ? List.of(args).subList(1, args.length) : STRATEGIES;
    RealPoolBench bench = new RealPoolBench(minutes);
    Map<String, double[]> efficiency = new LinkedHashMap<>();
    for (String strategy : strategies) {
      double simulated =
          Simulator.run(bench.config, strategy, bench.config.seeds(), false, 20_000, false)
              .avEff()
              .mean();
      double real = bench.realEfficiency(strategy);
      efficiency.put(strategy, new double[] {100 - simulated, 100 * (1 - real)});
      System.out.printf(
          Locale.ROOT,
          "%s: %.1f %% lost in the simulator, %.1f %% in the real pool%n",
          strategy,
          100 - simulated,
          100 * (1 - real));
    }
    System.out.println("\n| strategy | work lost, simulated | work lost, 12 real agents |");
    System.out.println("|---|---|---|");
    efficiency.forEach(
        (strategy, lost) ->
            System.out.printf(
                Locale.ROOT, "| %s | %.1f %% | %.1f %% |%n", strategy, lost[0], lost[1]));
    System.out.println(
        order(efficiency, 0).equals(order(efficiency, 1))
            ? "\nThe order is the same."
            : "\nThe order DIFFERS.");
  }

  private static List<String> order(Map<String, double[]> lost, int column) {
    return lost.entrySet().stream()
        .sorted((a, b) -> Double.compare(a.getValue()[column], b.getValue()[column]))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Share of worked time that was not lost. */
  private double realEfficiency(String strategy) throws Exception {
    Path log = Files.createTempFile("imker-real-pool-", ".log");
    try (PoolProcesses pool = PoolProcesses.start("-Dimker.minuteMillis=" + STEP_MILLIS)) {
      try (ApiClient api = pool.client()) {
        api.put("/api/v1/strategy", choice(strategy));
        List<RealNode> nodes = startNodes(pool);
        for (Arrival arrival : config.arrivals()) {
          submit(api, arrival, log);
        }
        torment(pool, nodes);
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
  private void torment(PoolProcesses pool, List<RealNode> nodes) throws Exception {
    Random random = new Random(SEED);
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
