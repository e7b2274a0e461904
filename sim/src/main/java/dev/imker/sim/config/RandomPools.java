package dev.imker.sim.config;

import dev.imker.model.ProjectId;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Randomly drawn pools, for comparing strategies that were not tuned for them: one to five kinds of
 * machines that fail by constant, rising or Weibull rates, half of the pools with daily and weekly
 * patterns; one to eight projects of very different lengths, there from the start or arriving
 * daily; between a third and twice the work that the machines could do in the time. The same seed
 * gives the same pool.
 */
public final class RandomPools {
  private static final int MAX_NODES = 120;
  private static final double REFERENCE_BENCHMARK = 4000;
  private static final Set<DayOfWeek> WORKING_DAYS =
      EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);

  private final SplittableRandom random;
  private final boolean habits;
  private final int minutes;
  private final int start;

  private RandomPools(long seed) {
    random = new SplittableRandom(seed);
    habits = random.nextBoolean();
    minutes = habits ? 4320 + 1440 * random.nextInt(4) : 1000 * random.nextInt(2, 6);
    start = habits ? random.nextInt(7 * WeekHours.DAY / 60) * 60 : 0;
  }

  public static SimConfig pool(long seed) {
    return new RandomPools(seed).make("random-" + seed);
  }

  private SimConfig make(String name) {
    List<Machines> machines = machines();
    boolean agesIdle = habits || random.nextBoolean();
    List<Arrival> work = work(machines);
    int lostMinutes = random.nextBoolean() ? 20 : random.nextInt(1, 6);
    return new SimConfig(
        name, machines, work, minutes, start, lostMinutes, agesIdle, random.nextInt(3) == 0, 2);
  }

  private List<Machines> machines() {
    List<Machines> machines = new ArrayList<>();
    int kinds = random.nextInt(1, 6);
    for (int i = 1; i <= kinds; i++) {
      int count = (int) Math.clamp(logUniform(3, 60), 1, MAX_NODES / (double) kinds);
      double benchmark = logUniform(3000, 20_000);
      double slowdown = benchmark / REFERENCE_BENCHMARK * (0.8 + 0.4 * random.nextDouble());
      boolean comesAndGoes = habits && random.nextInt(3) == 0;
      machines.add(
          new Machines(
              "kind" + i,
              count,
              benchmark,
              slowdown,
              failures(),
              comesAndGoes ? hours() : null,
              comesAndGoes ? random.nextInt(60) : 0));
    }
    return machines;
  }

  private Failures failures() {
    double life = logUniform(60, 10_000);
    Failures plain =
        switch (random.nextInt(5)) {
          case 0 -> new Failures.Weibull(logUniform(0.5, 3), life);
          case 1, 2 -> {
            int safe = (int) logUniform(20, 700);
            yield new Failures.Ramp(2 / life, 2 / life, 0, safe, random.nextInt(10, 200));
          }
          case 3 -> {
            double later = random.nextBoolean() ? life : logUniform(60, 10_000);
            yield new Failures.Ramp(1 / life, 1 / later, random.nextInt(500, 3000), 0, 0);
          }
          default -> new Failures.Ramp(1 / life, 1 / life, 0, 0, 0);
        };
    if (habits && random.nextBoolean()) {
      return new Failures.Within(plain, hours(), logUniform(3, 50));
    }
    return plain;
  }

  private WeekHours hours() {
    int from = random.nextInt(24) * 60 + random.nextInt(2) * 30;
    int to = (from + random.nextInt(2, 13) * 60) % WeekHours.DAY;
    Set<DayOfWeek> days = random.nextInt(3) == 0 ? EnumSet.allOf(DayOfWeek.class) : WORKING_DAYS;
    return new WeekHours(days, from, to, start);
  }

  private List<Arrival> work(List<Machines> machines) {
    double capacity = capacity(machines) * logUniform(0.33, 2);
    int projects = random.nextInt(1, 9);
    double[] share = new double[projects];
    double sum = 0;
    for (int k = 0; k < projects; k++) {
      share[k] = logUniform(0.2, 2);
      sum += share[k];
    }
    List<Arrival> work = new ArrayList<>();
    double longest = longestSensible(machines);
    for (int k = 0; k < projects; k++) {
      double length = logUniform(3, longest);
      int tasks = (int) Math.clamp(capacity * share[k] / sum / length, 1, 20_000);
      int times = random.nextInt(3) == 0 ? random.nextInt(2, 5) : 1;
      int every = minutes / (times + 1);
      int at = random.nextInt(3) == 0 ? random.nextInt(minutes / 3) : 0;
      RunTimes runTimes = runTimes(length);
      ProjectId project = new ProjectId("user" + random.nextInt(3), "p" + (k + 1));
      for (int i = 0; i < times; i++) {
        work.add(new Arrival(at + i * every, project, Math.max(1, tasks / times), runTimes));
      }
    }
    return work;
  }

  private RunTimes runTimes(double mean) {
    return switch (random.nextInt(5)) {
      case 0 -> new RunTimes.Exponential(mean);
      case 1 -> new RunTimes.Uniform(0.6 * mean, 1.4 * mean);
      case 2 -> new RunTimes.LogNormal(mean, 0.2 + 0.6 * random.nextDouble());
      default -> new RunTimes.Fixed(mean);
    };
  }

  /** Minutes of work at slowdown 1 that the machines could do in that time without failures. */
  private double capacity(List<Machines> machines) {
    double speed = 0;
    for (Machines kind : machines) {
      speed += kind.count() / kind.slowdown() * (kind.away() == null ? 1 : 0.6);
    }
    return speed * minutes * 0.7;
  }

  /**
   * The duration that the best kind of machines finishes within a typical up-time with a
   * probability of one half.
   */
  private double longestSensible(List<Machines> machines) {
    double best = 10;
    for (Machines kind : machines) {
      best = Math.max(best, evenChance(kind) / kind.slowdown());
    }
    return Math.min(best, minutes / 8.0);
  }

  private static double evenChance(Machines kind) {
    double alive = 1;
    int minute = 1;
    while (alive > 0.5 && minute < 720) {
      alive *= 1 - kind.failures().probability(720 + minute, minute);
      minute++;
    }
    return minute;
  }

  private double logUniform(double min, double max) {
    return min * Math.pow(max / min, random.nextDouble());
  }
}
