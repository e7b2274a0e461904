package dev.imker.bench.planner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Our planner and the FF planner of pddl4j on the same instances, in turns, each in a process of
 * its own and with the same limit. Plans are not compared: ours have the fewest parallel steps,
 * FF's are sequential and of any length. Where the right answers are known, so may be the seconds
 * that the first program of this kind needed, whose plans are as short as ours.
 */
public final class PlannerBench {
  private static final int USUAL_SECONDS = 10;

  private record Instance(String name, Path domain, Path problem) {}

  /**
   * @param firstMillis what the program of 1995 needed; not a number if that is not known
   */
  private record Compared(String name, PlannerRun own, PlannerRun peer, double firstMillis) {
    /** Below that its clock was too coarse to compare with. */
    boolean isComparable() {
      return firstMillis > 100;
    }
  }

  private record Answer(String outcome, double firstMillis) {
    static final Answer UNKNOWN = new Answer("", Double.NaN);
  }

  private final List<Instance> instances;
  private final Map<String, Answer> expected;
  private final Duration timeout;
  private final boolean alone;
  private final List<Compared> all = new ArrayList<>();
  private int wrong;

  private PlannerBench(Path folder, Duration timeout, boolean alone) throws IOException {
    this.instances = instances(folder);
    this.expected = expected(folder.resolve("oracle.tsv"));
    this.timeout = timeout;
    this.alone = alone;
  }

  /**
   * @param args a folder of subfolders with {@code domain.pddl} and {@code p*.pddl}, perhaps an
   *     {@code oracle.tsv} with the right answers, and optionally the seconds per instance; {@code
   *     alone} leaves pddl4j out
   */
  public static void run(String... args) throws Exception {
    ActionsBench.run(System.out);
    if (args.length == 0) {
      System.out.println(
          "With FOLDER [SECONDS] [alone]: the planning instances in it, next to pddl4j or alone.");
      return;
    }
    List<String> further = List.of(args).subList(1, args.length);
    int seconds =
        further.stream()
            .filter(word -> word.matches("\\d+"))
            .mapToInt(Integer::parseInt)
            .findFirst()
            .orElse(USUAL_SECONDS);
    new PlannerBench(Path.of(args[0]), Duration.ofSeconds(seconds), further.contains("alone"))
        .compareAll();
  }

  private static List<Instance> instances(Path folder) throws IOException {
    List<Instance> found = new ArrayList<>();
    for (Path directory : sorted(folder)) {
      Path domain = directory.resolve("domain.pddl");
      if (Files.exists(domain)) {
        for (Path problem : sorted(directory)) {
          String file = problem.getFileName().toString();
          if (file.matches("p.*\\.pddl")) {
            String name = directory.getFileName() + "/" + file.replace(".pddl", "");
            found.add(new Instance(name, domain.toAbsolutePath(), problem.toAbsolutePath()));
          }
        }
      }
    }
    return found;
  }

  private static List<Path> sorted(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().toList();
    }
  }

  private static Map<String, Answer> expected(Path oracle) throws IOException {
    Map<String, Answer> answers = new HashMap<>();
    for (String line : Files.exists(oracle) ? Files.readAllLines(oracle) : List.<String>of()) {
      String[] cells = line.split("\t", -1);
      if (cells.length > 3) {
        String outcome = cells[2].equals("y") ? cells[3] : PlannerRun.UNSOLVABLE;
        answers.put(cells[0] + "/" + cells[1], new Answer(outcome, firstMillis(cells)));
      }
    }
    return answers;
  }

  private static double firstMillis(String[] cells) {
    boolean known = cells.length > 6 && cells[6].matches("\\d+(\\.\\d+)?");
    return known ? 1000 * Double.parseDouble(cells[6]) : Double.NaN;
  }

  private void compareAll() throws IOException, InterruptedException {
    if (instances.isEmpty()) {
      System.out.println("There are no instances: subfolders with domain.pddl and p*.pddl.");
      return;
    }
    Instance first = instances.getFirst();
    System.out.println("| instance | steps | right | imker ms | 1995 ms | pddl4j FF ms | ratio |");
    System.out.println("|---|---|---|---:|---:|---:|---:|");
    try (PlannerProcess ours = new PlannerProcess("imker", timeout, first.domain, first.problem);
        PlannerProcess theirs =
            new PlannerProcess("pddl4j", timeout, first.domain, first.problem)) {
      for (Instance instance : instances) {
        PlannerRun own = ours.solve(instance.domain, instance.problem);
        PlannerRun peer =
            alone ? PlannerRun.NOT_ASKED : theirs.solve(instance.domain, instance.problem);
        compare(instance.name, own, peer);
      }
      System.out.printf("%nimker: at most %d MB in memory, Java and all%n", ours.peakMegabytes());
    }
    summarise();
    againstFirst();
  }

  private void compare(String name, PlannerRun own, PlannerRun peer) {
    Answer answer = expected.getOrDefault(name, Answer.UNKNOWN);
    all.add(new Compared(name, own, peer, answer.firstMillis));
    boolean known = !answer.outcome.isEmpty();
    boolean right = !known || answer.outcome.equals(own.outcome());
    wrong += right ? 0 : 1;
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %.1f | %.0f | %s%.1f | %.2f |%n",
        name,
        own.outcome(),
        known ? right ? "yes" : "NO, " + answer.outcome : "?",
        own.millis(),
        answer.firstMillis,
        peer.isSolved() ? "" : peer.outcome() + " ",
        peer.millis(),
        own.millis() / peer.millis());
  }

  private void summarise() {
    List<Compared> both =
        all.stream().filter(pair -> pair.own.isSolved() && pair.peer.isSolved()).toList();
    System.out.printf(
        Locale.ROOT,
        "%nimker: %d instances, %d wrong; %d solved, %d proved unsolvable, %d within 1 s; median"
            + " %.1f ms, 90 %% %.1f ms, longest %.1f ms%n",
        all.size(),
        wrong,
        all.stream().filter(pair -> pair.own.isSolved()).count(),
        all.stream().filter(pair -> pair.own.outcome().equals(PlannerRun.UNSOLVABLE)).count(),
        all.stream().filter(pair -> pair.own.millis() <= 1000).count(),
        quantile(all, 0.5, pair -> pair.own.millis()),
        quantile(all, 0.9, pair -> pair.own.millis()),
        quantile(all, 1, pair -> pair.own.millis()));
    if (alone) {
      return;
    }
    System.out.printf(
        Locale.ROOT,
        "pddl4j FF: %d solved; median %.1f ms, 90 %% %.1f ms, longest %.1f ms (limit %d s)%n",
        all.stream().filter(pair -> pair.peer.isSolved()).count(),
        quantile(all, 0.5, pair -> pair.peer.millis()),
        quantile(all, 0.9, pair -> pair.peer.millis()),
        quantile(all, 1, pair -> pair.peer.millis()),
        timeout.toSeconds());
    System.out.printf(
        Locale.ROOT,
        "solved by both: %d; median %.1f and %.1f ms, median of the ratios %.2f%n",
        both.size(),
        quantile(both, 0.5, pair -> pair.own.millis()),
        quantile(both, 0.5, pair -> pair.peer.millis()),
        quantile(both, 0.5, pair -> pair.own.millis() / pair.peer.millis()));
  }

  private void againstFirst() {
    List<Compared> long1995 = all.stream().filter(Compared::isComparable).toList();
    List<String> slower =
        long1995.stream()
            .filter(run -> run.own.millis() >= run.firstMillis)
            .map(run -> "%s (%.0f ms)".formatted(run.name, run.own.millis()))
            .toList();
    System.out.printf(
        Locale.ROOT,
        "against the program of 1995: %d instances took it more than 0.1 s, %d of them take us as"
            + " long or longer%s%n",
        long1995.size(),
        slower.size(),
        slower.isEmpty() ? "" : ": " + String.join(", ", slower));
  }

  private static double quantile(
      List<Compared> runs, double share, ToDoubleFunction<Compared> figure) {
    double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
