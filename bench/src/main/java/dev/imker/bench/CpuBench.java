package dev.imker.bench;

import dev.imker.agent.internal.platform.CpuBenchmark;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How well the agents' benchmark of a core repeats itself: as a new agent would take it, each time
 * in a Java process that does nothing else.
 */
final class CpuBench {
  private static final double AIM_PERCENT = 10;
  private static final long LONGEST_MILLIS = 2_000;
  private static final String ONCE = "once";

  private CpuBench() {}

  static void run(String... args) throws IOException, InterruptedException {
    if (args.length > 0 && args[0].equals(ONCE)) {
      measure();
      return;
    }
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 10;
    double[] millis = new double[rounds];
    double[] took = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      String[] figures = inNewProcess().split(" ", 2);
      millis[i] = Double.parseDouble(figures[0]);
      took[i] = Double.parseDouble(figures[1]);
      System.out.printf(
          Locale.ROOT, "round %d: %.0f ms, found out in %.0f ms%n", i + 1, millis[i], took[i]);
    }
    report(millis, Arrays.stream(took).max().orElse(0));
  }

  private static void report(double[] millis, double longest) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    double median = sorted[sorted.length / 2];
    double spread = 100 * (sorted[sorted.length - 1] - sorted[0]) / median;
    System.out.println();
    System.out.println("| benchmark of a core, " + millis.length + " times | |");
    System.out.println("|---|---|");
    System.out.printf(Locale.ROOT, "| median | %.0f ms |%n", median);
    System.out.printf(
        Locale.ROOT,
        "| largest less smallest | %.1f %% (%s, aim %.0f %%) |%n",
        spread,
        spread <= AIM_PERCENT ? "reached" : "missed",
        AIM_PERCENT);
    System.out.printf(
        Locale.ROOT,
        "| found out in at most | %.0f ms (%s, aim %d ms) |%n",
        longest,
        longest <= LONGEST_MILLIS ? "reached" : "missed",
        LONGEST_MILLIS);
  }

  private static void measure() throws IOException {
    Path folder = Files.createTempDirectory("imker-cpu");
    Path kept = folder.resolve("benchmark.properties");
    try {
      CpuBenchmark benchmark = new CpuBenchmark(kept);
      long start = System.nanoTime();
      benchmark.measure();
      System.out.println(benchmark.millis() + " " + (System.nanoTime() - start) / 1_000_000);
    } finally {
      Files.deleteIfExists(kept);
      Files.delete(folder);
    }
  }

  private static String inNewProcess() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "cpu",
                ONCE)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("the benchmark failed: " + output);
    }
    List<String> lines = output.lines().toList();
    return lines.getLast();
  }
}
