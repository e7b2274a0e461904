package dev.imker.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The day's work of an analyst through a drop folder: 50 strategies on 20 markets of 15 years, each
 * a search over 400 combinations, with two agents of which one is killed on the way; and one large
 * search on one agent and on two, each of which has one core of this machine.
 */
final class AnalystBench {
  private static final int STRATEGIES = 50;
  private static final int STOP_LOSSES = 10;
  private static final String DATA =
      "data: {synthetic: {markets: 20, years: 15, seed: 3, model: mixed}}\n";

  private AnalystBench() {}

  static void run(String... args) throws Exception {
    int strategies = args.length > 0 ? Integer.parseInt(args[0]) : STRATEGIES;
    int losses = args.length > 1 ? Integer.parseInt(args[1]) : STOP_LOSSES;
    System.out.println("| what | seconds |");
    System.out.println("|---|---|");
    day(strategies);
    double one = search(1, losses);
    double two = search(2, losses);
    System.out.printf(
        Locale.ROOT, "| scaling from one agent to two | %.2f per core |%n", one / two / 2);
  }

  private static String strategy(int i) {
    return """
    kind: optimise
    %sstrategy:
      indicators: {quick: {ema: {from: 3, to: 22}}, calm: {sma: {from: %d, to: %d, step: 5}}}
      enter: {crossed-up: [quick, calm]}
      exit: [{crossed-down: [quick, calm]}, {stop-loss: %d}]
    report: {formats: [xlsx, json, csv]}
    """
        .formatted(DATA, 30 + i, 125 + i, 3 + i % 10);
  }

  /** 400 combinations in each file; 50 × 20 × 400 back-tests in all. */
  private static void day(int strategies) throws Exception {
    Path drop = Files.createTempDirectory("imker-drop-");
    try (PoolProcesses pool = PoolProcesses.start();
        ApiClient api = pool.client()) {
      watch(api, drop);
      pool.addAgent("one", 1);
      pool.addAgent("two", 1);
      long start = System.nanoTime();
      for (int i = 0; i < strategies; i++) {
        put(drop, "strategy-" + i + ".yaml", strategy(i));
      }
      awaitDone(drop, strategies / 3);
      pool.killAgent("one");
      awaitDone(drop, strategies);
      System.out.printf(
          Locale.ROOT,
          "| %d strategies × 20 markets × 15 years, 400 combinations each, one of two agents killed"
              + " | %.0f |%n",
          strategies,
          (System.nanoTime() - start) / 1e9);
    } finally {
      delete(drop);
    }
  }

  /** 6,000 combinations for each stop loss on 20 markets, so that there are many chunks. */
  private static double search(int agents, int losses) throws Exception {
    Path drop = Files.createTempDirectory("imker-drop-");
    try (PoolProcesses pool = PoolProcesses.start();
        ApiClient api = pool.client()) {
      watch(api, drop);
      for (int i = 0; i < agents; i++) {
        pool.addAgentOnCore("agent-" + i, i);
      }
      long start = System.nanoTime();
      put(
          drop,
          "search.yaml",
          """
          kind: optimise
          %sparameters:
            fast: {from: 5, to: 54, step: 1}
            slow: {from: 60, to: 179, step: 1}
            loss: {from: 2, to: %d, step: 1}
          strategy:
            indicators: {quick: {ema: $fast}, calm: {sma: $slow}}
            enter: {crossed-up: [quick, calm]}
            exit: [{crossed-down: [quick, calm]}, {stop-loss: $loss}]
          report: {formats: [json]}
          """
              .formatted(DATA, 1 + losses));
      awaitDone(drop, 1);
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "| search over %,d combinations × 20 markets, %d agent(s) of one core | %.1f |%n",
          6_000 * losses,
          agents,
          seconds);
      return seconds;
    } finally {
      delete(drop);
    }
  }

  private static void watch(ApiClient api, Path drop) {
    ObjectNode body = ApiClient.json().createObjectNode().put("place", drop.toString());
    api.post("/api/v1/drops", body);
  }

  private static void put(Path drop, String name, String text) throws IOException {
    Path inbox = drop.resolve("inbox");
    Path half = Files.writeString(inbox.resolve(name + ".part"), text);
    Files.move(half, inbox.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void awaitDone(Path drop, int count) throws IOException, InterruptedException {
    while (count(drop.resolve("done")) < count) {
      if (count(drop.resolve("failed")) > 0) {
        throw new IllegalStateException("an analysis failed; see " + drop.resolve("failed"));
      }
      Thread.sleep(100);
    }
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
