package dev.imker.sim.twin;

import dev.imker.model.Granted;
import dev.imker.model.Platform;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.sim.config.Absence;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Failures;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.RunTimes;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Creates a simulation from the recorded history of a pool. Machines come and go and jobs arrive
 * when the real ones did; tasks take as long as those of the same project, scaled by the benchmarks
 * of the machines. Seeds draw different run times from the recorded ones and slightly shift
 * arrivals and departures.
 *
 * <p>Tasks take the amounts they were given at the time, and machines have the amounts they offer
 * now. If all tasks had one core and nothing else, each slot is a machine of its own instead.
 */
public final class Twin {
  private static final double REFERENCE_BENCHMARK = 4000;
  private static final int MIN_RUNS = 10;
  private static final int MAX_STEPS = 40_000;
  private static final int STEPS_PER_TASK = 20;
  private static final long SHORTEST_STEP_MILLIS = 50;
  private static final long LONGEST_STEP_MILLIS = 60_000;
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
  private static final int MINUTES_PER_DAY = 1440;
  private static final int MAX_JITTER_STEPS = 15;
  private static final int SEEDS = 10;

  private final PoolHistory history;
  private final long beginMillis;
  private final long stepMillis;
  private final int period;
  private final boolean sized;

  /** Tasks of a project with the same needs. */
  private record Kind(ProjectId project, Requirements needs) {
    static Kind of(PoolHistory.Job job, PoolHistory.Run run) {
      return new Kind(job.project(), needs(run.granted()));
    }

    private static Requirements needs(Granted granted) {
      if (granted.isPlain()) {
        return Requirements.ANY;
      }
      Need need =
          Need.NOTHING
              .withCores((double) granted.of("cores") / Requirements.HUNDREDTHS)
              .withGpus((double) granted.of("gpus") / Requirements.HUNDREDTHS)
              .withMemory(granted.of("memory"));
      for (Map.Entry<String, Long> one : granted.amounts().entrySet()) {
        if (Requirements.isResourceName(one.getKey())) {
          need = need.withResource(one.getKey(), (double) one.getValue() / Requirements.HUNDREDTHS);
        }
      }
      return Requirements.of(need);
    }
  }

  private Twin(PoolHistory history) {
    this.history = history;
    beginMillis =
        history.jobs().stream().mapToLong(PoolHistory.Job::submittedMillis).min().orElse(0);
    long length = Math.max(1, history.toMillis() - beginMillis);
    stepMillis = step(length);
    long whole = length >= DAY_MILLIS ? Math.ceilDiv(length, DAY_MILLIS) * DAY_MILLIS : length;
    period = (int) Math.max(1, Math.ceilDiv(whole, stepMillis));
    sized =
        history.jobs().stream()
            .flatMap(job -> job.runs().stream())
            .anyMatch(run -> !run.granted().isPlain());
  }

  /**
   * The simulation of a history.
   *
   * @throws SimException if too little was recorded; the message says what is missing
   */
  public static SimConfig of(PoolHistory history) {
    check(history);
    return new Twin(history).config();
  }

  private static void check(PoolHistory history) {
    long runs = history.jobs().stream().mapToLong(job -> job.runs().size()).sum();
    boolean seen = history.nodes().stream().anyMatch(node -> !node.up().isEmpty());
    if (!seen) {
      throw new SimException(
          "The pool "
              + history.pool()
              + " has not recorded any machine connecting or disconnecting. It records this"
              + " from version 0.1 on, while its server runs: try again when it has worked"
              + " for a while.");
    }
    if (runs < MIN_RUNS) {
      throw new SimException(
          "The pool "
              + history.pool()
              + " has recorded the run times of "
              + runs
              + " tasks, too few to tell strategies apart; at least "
              + MIN_RUNS
              + " are needed, hundreds are better.");
    }
  }

  /** Fine enough for the tasks, coarse enough for the whole. */
  private long step(long lengthMillis) {
    long[] runs =
        history.jobs().stream()
            .flatMap(job -> job.runs().stream())
            .mapToLong(PoolHistory.Run::millis)
            .sorted()
            .toArray();
    long typical = runs[runs.length / 2];
    long fine = Math.clamp(typical / STEPS_PER_TASK, SHORTEST_STEP_MILLIS, LONGEST_STEP_MILLIS);
    return Math.min(LONGEST_STEP_MILLIS, Math.max(fine, lengthMillis / MAX_STEPS));
  }

  private SimConfig config() {
    List<Machines> machines = machines();
    if (machines.isEmpty()) {
      throw new SimException(
          "No machine was connected while the pool " + history.pool() + " had work.");
    }
    SimConfig machinesAlone = config(machines, List.of());
    return config(
        machines,
        arrivals().stream().filter(one -> machinesAlone.unmet(one.needs()) == null).toList());
  }

  private SimConfig config(List<Machines> machines, List<Arrival> arrivals) {
    return new SimConfig(
        history.pool(),
        machines,
        arrivals,
        lastStep(),
        startMinute(),
        (int) Math.max(1, history.leaseMillis() / stepMillis),
        true,
        false,
        SEEDS,
        stepMillis,
        sized ? history.resources() : Map.of());
  }

  /** The averages are taken until the last job of the record was settled. */
  private int lastStep() {
    long last =
        history.jobs().stream().mapToLong(PoolHistory.Job::settledMillis).max().orElse(beginMillis);
    return Math.max(1, stepOf(last));
  }

  private int stepOf(long millis) {
    return Math.clamp((millis - beginMillis) / stepMillis, 0, Integer.MAX_VALUE / 2);
  }

  private int startMinute() {
    ZonedDateTime begin = Instant.ofEpochMilli(beginMillis).atZone(ZoneOffset.UTC);
    int day = begin.getDayOfWeek().getValue() - DayOfWeek.MONDAY.getValue();
    return day * MINUTES_PER_DAY + begin.getHour() * 60 + begin.getMinute();
  }

  private List<Machines> machines() {
    List<Machines> machines = new ArrayList<>();
    for (PoolHistory.Node node : history.nodes()) {
      List<int[]> up = new ArrayList<>();
      for (PoolHistory.Span span : node.up()) {
        int from = stepOf(span.fromMillis());
        int to = span.toMillis() >= history.toMillis() ? period : stepOf(span.toMillis());
        if (to > from) {
          up.add(new int[] {from, to});
        }
      }
      if (!up.isEmpty()) {
        machines.add(machine(node, up));
      }
    }
    return machines;
  }

  private Machines machine(PoolHistory.Node node, List<int[]> up) {
    boolean always = up.size() == 1 && up.getFirst()[0] == 0 && up.getFirst()[1] >= period;
    Absence away = always ? null : new RecordedAbsence(up, period);
    int jitter = Math.min(MAX_JITTER_STEPS, period / 100);
    double slowdown = slowdown(node.benchmarkMillis());
    int slots = Math.max(1, node.slots());
    if (!sized) {
      return new Machines(
          node.name(), slots, node.benchmarkMillis(), slowdown, Failures.NEVER, away, jitter);
    }
    Platform platform = platform(node);
    boolean limited = node.slots() > 0 && node.slots() < platform.cores();
    return new Machines(
        node.name(),
        1,
        slowdown,
        Failures.NEVER,
        away,
        jitter,
        platform,
        limited ? node.slots() : 0);
  }

  private static Platform platform(PoolHistory.Node node) {
    Map<String, Platform.Resource> resources = new HashMap<>();
    node.amounts()
        .forEach(
            (name, amount) -> {
              if (Requirements.isResourceName(name)) {
                resources.put(
                    name, Platform.Resource.of((double) amount / Requirements.HUNDREDTHS));
              }
            });
    return new Platform(
        "",
        "",
        "",
        node.name(),
        Math.max(1, (int) (amount(node, "cores") / Requirements.HUNDREDTHS)),
        (int) (amount(node, "gpus") / Requirements.HUNDREDTHS),
        amount(node, "memory"),
        amount(node, "disk"),
        node.benchmarkMillis(),
        Map.of(),
        Set.of(),
        Map.of(),
        0,
        resources);
  }

  private static long amount(PoolHistory.Node node, String name) {
    return node.amounts().getOrDefault(name, 0L);
  }

  private static double slowdown(double benchmarkMillis) {
    return benchmarkMillis > 0 ? benchmarkMillis / REFERENCE_BENCHMARK : 1;
  }

  private List<Arrival> arrivals() {
    Map<Kind, RunTimes> runTimes = runTimes();
    List<Arrival> arrivals = new ArrayList<>();
    for (PoolHistory.Job job : history.jobs()) {
      Map<Kind, Integer> runs = new LinkedHashMap<>();
      job.runs().forEach(run -> runs.merge(Kind.of(job, run), 1, Integer::sum));
      int left = job.tasks();
      int seen = job.runs().size();
      for (Map.Entry<Kind, Integer> kind : runs.entrySet()) {
        // Only some runs of a large job are known; the others are distributed in the same way.
        int tasks = (int) Math.ceilDiv((long) left * kind.getValue(), seen);
        seen -= kind.getValue();
        left -= tasks;
        if (tasks > 0) {
          arrivals.add(
              new Arrival(
                  stepOf(job.submittedMillis()),
                  job.project(),
                  tasks,
                  Objects.requireNonNull(runTimes.get(kind.getKey())),
                  kind.getKey().needs()));
        }
      }
    }
    return arrivals;
  }

  /** In steps, on a machine of slowdown 1. */
  private Map<Kind, RunTimes> runTimes() {
    Map<Kind, List<Double>> all = new LinkedHashMap<>();
    for (PoolHistory.Job job : history.jobs()) {
      for (PoolHistory.Run run : job.runs()) {
        double slowdown = slowdown(history.nodes().get(run.node()).benchmarkMillis());
        all.computeIfAbsent(Kind.of(job, run), kind -> new ArrayList<>())
            .add(Math.max(0.01, (double) run.millis() / stepMillis / slowdown));
      }
    }
    Map<Kind, RunTimes> runTimes = new LinkedHashMap<>();
    all.forEach(
        (kind, steps) ->
            runTimes.put(
                kind,
                new RunTimes.Recorded(
                    steps.stream().mapToDouble(Double::doubleValue).sorted().toArray())));
    return runTimes;
  }
}
