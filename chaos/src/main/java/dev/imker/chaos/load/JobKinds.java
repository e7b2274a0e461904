package dev.imker.chaos.load;

import dev.imker.chaos.check.SubmittedJob;
import dev.imker.model.JobId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Jobs of several kinds, whose tasks all keep the log. */
final class JobKinds {
  /**
   * A job to be submitted.
   *
   * @param spec as REST takes it
   */
  record Draft(
      String name,
      Map<String, Object> spec,
      int tasks,
      Map<Integer, List<Integer>> after,
      boolean passesResults) {
    SubmittedJob acknowledged(long id) {
      return new SubmittedJob(name, new JobId(id), tasks, after, passesResults);
    }
  }

  /** Whatever happens to a machine, no task is to be held back for it. */
  private static final Map<String, Object> RULES = Map.of("maxFailures", 100, "redundant", false);

  private final Random random;
  private final Path script;
  private final Path log;
  private int number;

  JobKinds(long seed, Path script, Path log) {
    random = new Random(seed);
    this.script = script;
    this.log = log;
  }

  synchronized Draft next() {
    number++;
    return switch (random.nextInt(4)) {
      case 0, 1 ->
          sweep("sweep" + number, 5 + random.nextInt(20), 0.05 + random.nextDouble() * 0.3);
      case 2 -> sweep("long" + number, 2 + random.nextInt(3), 2 + random.nextDouble() * 4);
      default -> graph("graph" + number, 3 + random.nextInt(6));
    };
  }

  private Draft sweep(String name, int tasks, double seconds) {
    Map<String, Object> spec =
        Map.of(
            "name",
            name,
            "command",
            command(seconds),
            "sweep",
            List.of(axis(tasks)),
            "rules",
            RULES);
    return new Draft(name, spec, tasks, Map.of(), false);
  }

  /** Each of the second stage waits for its own of the first; the last waits for all of those. */
  private Draft graph(String name, int width) {
    Map<Integer, List<Integer>> after = new HashMap<>();
    for (int i = 0; i < width; i++) {
      after.put(width + i, List.of(i));
    }
    after.put(2 * width, IntStream.range(width, 2 * width).boxed().toList());
    Map<String, Object> spec =
        Map.of(
            "name",
            name,
            "stages",
            List.of(
                stage("make", 0.1, width, "", ""),
                stage("refine", 0.1, width, "make", "EACH"),
                stage("sum", 0.1, 1, "refine", "ALL")));
    return new Draft(name, spec, 2 * width + 1, after, true);
  }

  private Map<String, Object> stage(
      String name, double seconds, int width, String before, String matching) {
    Map<String, Object> stage = new HashMap<>();
    stage.put("name", name);
    stage.put("outputs", List.of("r.txt"));
    stage.put("rules", RULES);
    stage.put("sweep", List.of(axis(width)));
    if (before.isEmpty()) {
      stage.put("command", command(seconds));
    } else {
      stage.put("command", List.of(command(seconds).getFirst() + " in/*/r.txt"));
      stage.put(
          "dataInputs",
          List.of(
              Map.of(
                  "from",
                  Map.of("stage", before, "matching", matching),
                  "glob",
                  "r.txt",
                  "into",
                  "in/${task}")));
    }
    return stage;
  }

  private List<String> command(double seconds) {
    return List.of(String.format(Locale.ROOT, ": {n}; sh %s %s %.2f", script, log, seconds));
  }

  private static Map<String, Object> axis(int tasks) {
    return Map.of("name", "n", "range", Map.of("from", 1, "to", tasks));
  }
}
