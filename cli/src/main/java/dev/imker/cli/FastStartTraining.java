package dev.imker.cli;

import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.pool.PoolPlan;
import dev.imker.charts.pool.PoolTask;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.DataSpec;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.cli.charts.ChartJobs;
import dev.imker.jobfile.files.JobFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Walks the usual commands once in a temporary pool, silently. The launcher runs it after a build
 * and keeps the classes it loaded in a cache, so that later starts are quick. Every class of a
 * cache costs at the start, whether it is used or not, and a server has ten thousand; so the
 * commands that only ask a server have a small cache of their own.
 */
final class FastStartTraining {
  private static final String ANALYSIS =
      """
      kind: optimise
      data: {synthetic: {markets: 4, years: 10, seed: 1, model: mixed}}
      strategy:
        indicators: {quick: {ema: {from: 3, to: 12}}, calm: {sma: {from: 20, to: 60, step: 5}}}
        enter: {crossed-up: [quick, calm]}
        exit: [{crossed-down: [quick, calm]}, {stop-loss: 5}, {trailing-stop: 9}]
      report: {formats: [xlsx, csv, json, html, svg, png]}
      """;

  /** How the process begins that the small cache is made of. */
  private static final String WALK = "--walk";

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long STEPS_PER_TASK = 100_000;

  private FastStartTraining() {}

  /**
   * @param args none, or the file of the small cache to make, or {@link #WALK}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("imker-training-");
    PrintStream silent =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    PrintStream err = System.err;
    int exitCode = 0;
    System.setOut(silent);
    System.setErr(silent);
    try {
      if (args.length == 0) {
        walkAll(home);
      } else if (args[0].equals(WALK)) {
        walk(List.of(), home);
      } else {
        exitCode = makeSmallCache(home, args[0]);
      }
    } catch (IOException | RuntimeException e) {
      err.println("imker: no cache for a fast start: " + e);
      exitCode = 1;
    } finally {
      delete(home);
    }
    System.exit(exitCode);
  }

  private static void walkAll(Path home) throws IOException, InterruptedException {
    try (TrainingPool pool = TrainingPool.start(home, false)) {
      walk(List.of("--server", pool.url(), "--token", pool.token()), home);
      CallTraining.run(pool, home, PATIENCE);
      chart(home);
    }
  }

  /** What only asks a server. */
  private static void walk(List<String> server, Path home) {
    Main.begin();
    String results = home.resolve("out").toString();
    run(server, "run", "--wait", "--results", results, "--", "echo {1..3}");
    run(server, "run", "--json", "--", "true");
    run(server, "wait", "last");
    run(server, "ls");
    run(server, "show", "last");
    run(server, "show", "last.1");
    run(server, "logs", "last");
    run(server, "results", "last");
    run(server, "nodes");
    run(server, "cancel", "last");
    Main.execute("--help");
    Main.execute("run", "--help");
  }

  /** In another process, with nothing of a server in it, over TLS, as commands run elsewhere. */
  private static int makeSmallCache(Path home, String cache)
      throws IOException, InterruptedException {
    try (TrainingPool pool = TrainingPool.start(home, true)) {
      ProcessBuilder child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "--sun-misc-unsafe-memory-access=allow",
                  "-XX:-UsePerfData",
                  "-XX:+UseSerialGC",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:AOTCacheOutput=" + cache,
                  "-cp",
                  System.getProperty("java.class.path"),
                  FastStartTraining.class.getName(),
                  WALK)
              // What is not closed, 'run' would read as its input, for ever.
              .redirectInput(Files.createFile(home.resolve("nothing")).toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      child.environment().putAll(pool.environment());
      Process walking = child.start();
      if (!walking.waitFor(PATIENCE)) {
        walking.destroyForcibly();
        throw new IOException("the commands did not end");
      }
      return walking.exitValue();
    }
  }

  /** An analysis, large enough for the compiler to see what is hot. */
  private static void chart(Path home) throws IOException {
    Path analysis = Files.writeString(home.resolve("chart.yaml"), ANALYSIS);
    Main.execute("chart", "run", analysis.toString(), "--out", home.resolve("chart").toString());
    new ChartJobs().read("chart.yaml", ANALYSIS, JobFiles.inside(home));
    tasks(home);
  }

  /** What the tasks of an analysis do. */
  private static void tasks(Path home) throws IOException {
    Path work = Files.createDirectories(home.resolve("tasks"));
    Path parts = Files.createDirectories(work.resolve(PoolTask.PARTS));
    DataSpec data = AnalysisReader.parse("chart.yaml", ANALYSIS).data();
    List<MarketInfo> markets =
        MarketLoader.local(home).load(data).stream().map(Market::info).toList();
    String plan =
        PoolPlan.of("chart.yaml", ANALYSIS, List.of(), markets)
            .withStepsPerUnit(STEPS_PER_TASK)
            .encode();
    int chunks = PoolPlan.decode(plan).rounds().getFirst().size();
    for (int chunk = 1; chunk <= chunks; chunk++) {
      new PoolTask(PoolPlan.decode(plan), parts, System.out).work(0, chunk, chunks);
    }
    new PoolTask(PoolPlan.decode(plan), work, System.out).report();
  }

  private static void run(List<String> server, String command, String... arguments) {
    Stream<String> words =
        Stream.concat(Stream.concat(Stream.of(command), server.stream()), Stream.of(arguments));
    Main.execute(words.toArray(String[]::new));
  }

  /** As far as nothing of the pool still writes to it. */
  private static void delete(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      folder.toFile().deleteOnExit();
    }
  }
}
