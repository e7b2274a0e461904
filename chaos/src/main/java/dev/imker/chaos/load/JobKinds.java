package dev.imker.chaos.load;

import dev.imker.chaos.check.Licences;
import dev.imker.chaos.check.SubmittedJob;
import dev.imker.chaos.check.SubmittedJob.Ending;
import dev.imker.model.JobId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Makes jobs up: sweeps, graphs whose tasks hand files on, and those that are steered or have rules
 * of their own. Each name is used once.
 */
final class JobKinds {
  /** What is done with a job once it is there. */
  enum Steering {
    NOTHING,
    /** Cancelled as a whole. */
    CANCEL,
    /** Its tasks fail until a file is there, and are released then. */
    RELEASE
  }

  /**
   * A job to be submitted.
   *
   * @param spec as REST takes it
   * @param gate the file that {@link Steering#RELEASE} waits for
   */
  record Draft(
      String name,
      Map<String, Object> spec,
      int tasks,
      Map<Integer, List<Integer>> after,
      boolean passesResults,
      Ending ending,
      Steering steering,
      Path gate) {
    SubmittedJob acknowledged(long id) {
      return new SubmittedJob(name, new JobId(id), tasks, after, passesResults, ending);
    }
  }

  /** Whatever happens to a machine, no task is to be held back for it. */
  private static final Map<String, Object> RULES = Map.of("maxFailures", 100, "speculative", false);

  /** What exists a few times in the whole pool. */
  static final String LICENCE = "licence";

  /** With what names of jobs begin that have a web hook. */
  static final String NOTICED = "noticed";

  private final Random random;
  private final Path script;
  private final Path log;
  private final int slots;
  private final String hook;
  private int number;

  /**
   * @param slots of all agents, which a gang must not exceed
   * @param hook where some jobs tell that they have settled
   */
  JobKinds(long seed, Path script, Path log, int slots, String hook) {
    this.hook = hook;
    random = new Random(seed);
    this.script = script;
    this.log = log;
    this.slots = slots;
  }

  synchronized Draft next() {
    number++;
    double shortly = 0.05 + random.nextDouble() * 0.3;
    return switch (random.nextInt(14)) {
      case 0, 1, 2 -> sweep("sweep" + number, 5 + random.nextInt(20), shortly, RULES);
      case 3 -> sweep("long" + number, 2 + random.nextInt(3), 2 + random.nextDouble() * 4, RULES);
      case 4 ->
          sweep("copies" + number, 4, 1 + shortly, Map.of("maxFailures", 100, "speculative", true));
      case 5 ->
          sweep(
              "saves" + number,
              2,
              3,
              Map.of(
                  "maxFailures",
                  100,
                  "speculative",
                  false,
                  "checkpoints",
                  List.of("progress"),
                  "checkpointMillis",
                  1000));
      case 6 ->
          sweep(
              "gang" + number,
              Math.max(2, slots / 4),
              shortly,
              Map.of("maxFailures", 100, "speculative", false, "gang", true));
      case 7 -> agreed("agreed" + number);
      case 8 -> cancelled("cancelled" + number);
      case 9 -> released("released" + number);
      case 10 -> noticed(NOTICED + number);
      case 11 -> licensed(Licences.LICENSED + number);
      default -> graph("graph" + number, 3 + random.nextInt(6));
    };
  }

  private Draft sweep(String name, int tasks, double seconds, Map<String, Object> rules) {
    return draft(name, command("", seconds), tasks, rules, Ending.DONE, Steering.NOTHING);
  }

  private Draft agreed(String name) {
    return draft(
        name,
        command("QUORUM=1 ", 0.1),
        3,
        Map.of("maxFailures", 100, "speculative", false, "quorum", 2),
        Ending.AGREED,
        Steering.NOTHING);
  }

  private Draft noticed(String name) {
    Draft draft = sweep(name, 2, 0.1, RULES);
    Map<String, Object> spec = new HashMap<>(draft.spec);
    spec.put("notices", Map.of("webHooks", List.of(hook)));
    return new Draft(name, spec, 2, Map.of(), false, Ending.DONE, Steering.NOTHING, draft.gate);
  }

  /** More of them than there are licences, and each runs long enough to be seen beside others. */
  private Draft licensed(String name) {
    Draft draft = sweep(name, 2 * Licences.AMOUNT, 2, RULES);
    Map<String, Object> spec = new HashMap<>(draft.spec);
    Map<String, Object> need = Map.of("resources", Map.of(LICENCE, 1));
    spec.put("needs", Map.of("alternatives", List.of(need)));
    return new Draft(
        name, spec, draft.tasks, Map.of(), false, Ending.DONE, Steering.NOTHING, draft.gate);
  }

  private Draft cancelled(String name) {
    return draft(name, command("", 1), 20, RULES, Ending.CANCELLED, Steering.CANCEL);
  }

  private Draft released(String name) {
    return draft(
        name,
        command("GATE=" + gate(name) + " ", 0.1),
        3,
        Map.of("maxFailures", 1, "speculative", false),
        Ending.DONE,
        Steering.RELEASE);
  }

  private Path gate(String name) {
    return log.resolveSibling(name + ".gate");
  }

  private Draft draft(
      String name,
      List<String> command,
      int tasks,
      Map<String, Object> rules,
      Ending ending,
      Steering steering) {
    Map<String, Object> spec =
        Map.of("name", name, "command", command, "sweep", List.of(axis(tasks)), "rules", rules);
    return new Draft(name, spec, tasks, Map.of(), false, ending, steering, gate(name));
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
    return new Draft(
        name, spec, 2 * width + 1, after, true, Ending.DONE, Steering.NOTHING, gate(name));
  }

  private Map<String, Object> stage(
      String name, double seconds, int width, String before, String matching) {
    Map<String, Object> stage = new HashMap<>();
    stage.put("name", name);
    stage.put("outputs", List.of("r.txt"));
    stage.put("rules", RULES);
    stage.put("sweep", List.of(axis(width)));
    if (before.isEmpty()) {
      stage.put("command", command("", seconds));
    } else {
      stage.put("command", List.of(command("", seconds).getFirst() + " in/*/r.txt"));
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

  private List<String> command(String environment, double seconds) {
    return List.of(
        String.format(Locale.ROOT, ": {n}; %ssh %s %s %.2f", environment, script, log, seconds));
  }

  /** A job for the drop folder. */
  String jobFile(String name) {
    return """
    name: %s
    command: "%s"
    sweep:
      n: 1..2
    max-failures: 100
    speculative: false
    """
        .formatted(name, command("", 0.1).getFirst());
  }

  private static Map<String, Object> axis(int tasks) {
    return Map.of("name", "n", "range", Map.of("from", 1, "to", tasks));
  }
}
