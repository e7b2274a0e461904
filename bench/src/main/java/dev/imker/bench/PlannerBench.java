package dev.imker.bench;

import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlanValidator;
import dev.imker.planner.Planner;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.Problem;
import fr.uga.pddl4j.encoding.CodedProblem;
import fr.uga.pddl4j.heuristics.relaxation.Heuristic;
import fr.uga.pddl4j.planners.ProblemFactory;
import fr.uga.pddl4j.planners.statespace.ff.FF;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Our planner and the FF planner of pddl4j on the same instances, one after the other in one
 * process. Plans are not compared: ours have the fewest parallel steps, FF's are sequential and of
 * any length.
 */
public final class PlannerBench {
  /** The time of one run; the outcome is a word. */
  private record Run(String outcome, double millis) {
    String time() {
      return String.format(Locale.ROOT, "%.1f", millis);
    }
  }

  private final Path folder;
  private final Duration timeout;
  private final Map<String, String> expected = new HashMap<>();
  private final List<Run> ours = new ArrayList<>();
  private final List<Run> theirs = new ArrayList<>();
  private final PrintStream report = System.out;
  private int wrong;

  private PlannerBench(Path folder, Duration timeout) throws IOException {
    this.folder = folder;
    this.timeout = timeout;
    Path oracle = folder.resolve("oracle.tsv");
    if (Files.exists(oracle)) {
      for (String line : Files.readAllLines(oracle)) {
        String[] cells = line.split("\t", -1);
        if (cells.length > 3) {
          expected.put(cells[0] + "/" + cells[1], cells[2].equals("y") ? cells[3] : "unsolvable");
        }
      }
    }
  }

  /**
   * @param args a folder of subfolders with {@code domain.pddl} and {@code p*.pddl}, perhaps an
   *     {@code oracle.tsv} with the right answers, and optionally the seconds per instance
   */
  public static void main(String[] args) throws IOException {
    ActionsBench.run(System.out);
    if (args.length == 0) {
      System.out.println("With FOLDER [SECONDS]: the planning instances in it, next to pddl4j.");
      return;
    }
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 60;
    new PlannerBench(Path.of(args[0]), Duration.ofSeconds(seconds)).run();
    System.exit(0);
  }

  private void run() throws IOException {
    // The peer tells its progress on standard output.
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    report.println("| instance | steps | right | imker ms | pddl4j FF ms | ratio |");
    report.println("|---|---|---|---:|---:|---:|");
    for (Path domain : sorted(folder)) {
      if (Files.exists(domain.resolve("domain.pddl"))) {
        for (Path problem : sorted(domain)) {
          if (problem.getFileName().toString().matches("p.*\\.pddl")) {
            compare(domain, problem);
          }
        }
      }
    }
    summarise();
  }

  private static List<Path> sorted(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    }
  }

  private void compare(Path domain, Path problem) throws IOException {
    String name =
        domain.getFileName() + "/" + problem.getFileName().toString().replace(".pddl", "");
    Run own = runOurs(domain.resolve("domain.pddl"), problem);
    Run peer = runPeer(domain.resolve("domain.pddl"), problem);
    ours.add(own);
    theirs.add(peer);
    String answer = expected.get(name);
    boolean right = answer == null || answer.equals(own.outcome);
    wrong += right ? 0 : 1;
    report.printf(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %.2f |%n",
        name,
        own.outcome,
        answer == null ? "?" : right ? "yes" : "NO, " + answer,
        own.time(),
        peer.outcome.equals("solved") ? peer.time() : peer.outcome + " " + peer.time(),
        own.millis / peer.millis);
  }

  private Run runOurs(Path domainFile, Path problemFile) throws IOException {
    long start = System.nanoTime();
    Domain domain = Pddl.domain(domainFile);
    Problem problem = Pddl.problem(problemFile, domain);
    PlanResult result = Planner.plan(domain, problem, PlanLimits.of(timeout));
    double millis = millisSince(start);
    if (result.status() != PlanStatus.SOLVED) {
      return new Run(result.status().label(), millis);
    }
    return new Run(
        new PlanValidator(domain, problem)
            .findFault(result.steps())
            .map(fault -> "invalid: " + fault)
            .orElse(String.valueOf(result.stepCount())),
        millis);
  }

  private Run runPeer(Path domainFile, Path problemFile) {
    long start = System.nanoTime();
    CompletableFuture<String> outcome = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                outcome.complete(solveWithPeer(domainFile, problemFile));
              } catch (IOException | RuntimeException | Error failure) {
                outcome.completeExceptionally(failure);
              }
            });
    try {
      String word = outcome.get(timeout.toMillis() * 2, TimeUnit.MILLISECONDS);
      return new Run(word, millisSince(start));
    } catch (ExecutionException _) {
      return new Run("fails", millisSince(start));
    } catch (TimeoutException _) {
      return new Run("timeout", millisSince(start));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Run("interrupted", millisSince(start));
    }
  }

  private String solveWithPeer(Path domainFile, Path problemFile) throws IOException {
    ProblemFactory factory = new ProblemFactory();
    if (!factory.parse(domainFile.toFile(), problemFile.toFile()).isEmpty()) {
      return "parse errors";
    }
    CodedProblem problem = factory.encode();
    if (!problem.isSolvable()) {
      return "unsolvable";
    }
    FF planner =
        new FF(Math.toIntExact(timeout.toMillis()), Heuristic.Type.FAST_FORWARD, 1.0, false, 0);
    return planner.search(problem) == null ? "no plan" : "solved";
  }

  private static double millisSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e6;
  }

  private void summarise() {
    report.printf(
        Locale.ROOT,
        "%nimker: %d instances, %d wrong, median %.1f ms, maximum %.1f ms, within 1 s %d%n",
        ours.size(),
        wrong,
        quantile(ours, 0.5),
        quantile(ours, 1),
        ours.stream().filter(run -> run.millis <= 1000).count());
    report.printf(
        Locale.ROOT,
        "pddl4j FF: solved %d, median %.1f ms, maximum %.1f ms%n",
        theirs.stream().filter(run -> run.outcome.equals("solved")).count(),
        quantile(theirs, 0.5),
        quantile(theirs, 1));
  }

  private static double quantile(List<Run> runs, double share) {
    double[] sorted = runs.stream().mapToDouble(Run::millis).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
