package dev.imker.bench.java;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Java calls a second end to end and the latency of one, next to JPPF in the same run. */
public final class JavaBench {
  private static final int CALLS = 100_000;
  private static final int ROUNDS = 3;
  private static final int SINGLES = 500;
  private static final int SINGLE_WARM_UP = 6_000;
  private static final int SLOTS = 2;
  private static final long SIMULATIONS = 1_000_000;
  private static final int POINTS = 100;

  /** A slower one gets fewer calls, so that a round takes seconds and not minutes. */
  private static final int JPPF_CALLS = 20_000;

  private record Figures(
      int calls, double callsPerSecond, double medianMillis, double worstMillis) {}

  private JavaBench() {}

  /**
   * @param args {@code alone} leaves JPPF out; a number is how many lambdas the simulation has;
   *     {@code singles} shows only how single calls get faster while Java compiles
   */
  public static void run(String... args) throws Exception {
    List<String> words = Arrays.asList(args);
    if (words.contains("singles")) {
      SingleCalls.run(SLOTS);
      return;
    }
    long simulations =
        words.stream()
            .filter(word -> word.matches("[0-9]+"))
            .mapToLong(Long::parseLong)
            .findFirst()
            .orElse(SIMULATIONS);
    Figures imkerFigures;
    try (PoolProcesses pool = PoolProcesses.start()) {
      pool.addAgent("java", SLOTS);
      try (Imker imker = pool.connect()) {
        try (Contender contender = new ImkerContender(imker, 0)) {
          imkerFigures = measure(contender, CALLS);
        }
        print("Imker", imkerFigures);
        monteCarlo(imker, simulations);
      }
    }
    if (!words.contains("alone")) {
      try (Contender contender = JppfContender.start(SLOTS)) {
        Figures jppf = measure(contender, JPPF_CALLS);
        print("JPPF 6.2", jppf);
        System.out.printf(
            Locale.ROOT,
            "| ratio of calls a second | %.1f |%n",
            imkerFigures.callsPerSecond / jppf.callsPerSecond);
      }
    }
  }

  private static void print(String name, Figures figures) {
    System.out.printf(
        Locale.ROOT,
        "| %s: no-op calls a second, median of %d rounds of %,d | %,.0f |%n| %s: one call, p50 |"
            + " %.2f ms |%n| %s: one call, p99 | %.2f ms |%n",
        name,
        ROUNDS,
        figures.calls,
        figures.callsPerSecond,
        name,
        figures.medianMillis,
        name,
        figures.worstMillis);
  }

  private static Figures measure(Contender contender, int calls) throws Exception {
    contender.calls(calls / 2);
    double[] rates = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      contender.calls(calls);
      rates[i] = calls * 1e9 / (System.nanoTime() - start);
    }
    Arrays.sort(rates);
    for (int i = 0; i < SINGLE_WARM_UP; i++) {
      contender.calls(1);
    }
    double[] millis = new double[SINGLES];
    for (int i = 0; i < SINGLES; i++) {
      long start = System.nanoTime();
      contender.calls(1);
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(millis);
    return new Figures(calls, rates[ROUNDS / 2], millis[SINGLES / 2], millis[SINGLES * 99 / 100]);
  }

  private static void monteCarlo(Imker imker, long simulations) {
    long start = System.nanoTime();
    try (ImkerExecutor executor = imker.executor()) {
      long hits =
          executor
              .map(LongStream.range(0, simulations).boxed(), (Long seed) -> hits(seed))
              .mapToLong(Long::longValue)
              .sum();
      double pi = 4.0 * hits / simulations / POINTS;
      if (Math.abs(pi - Math.PI) > 0.05) {
        throw new IllegalStateException("pi is " + pi);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| Monte Carlo, %,d lambdas through an executor, a second | %,.0f |%n",
        simulations,
        simulations * 1e9 / (System.nanoTime() - start));
  }

  static long hits(long seed) {
    java.util.SplittableRandom random = new java.util.SplittableRandom(seed);
    long hits = 0;
    for (int i = 0; i < POINTS; i++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      hits += x * x + y * y <= 1 ? 1 : 0;
    }
    return hits;
  }
}
