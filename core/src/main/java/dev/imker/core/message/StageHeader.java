package dev.imker.core.message;

import dev.imker.model.TaskRange;
import dev.imker.model.job.After;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.model.job.TaskRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of a stage that scheduling needs.
 *
 * @param after what its tasks wait for; they begin WAITING if there is anything
 * @param program what its tasks run, in short: stages of other jobs that run the same are alike;
 *     empty if unknown
 * @param inputBytes the most that one of its tasks has to fetch before it starts
 */
public record StageHeader(
    int taskCount,
    Requirements needs,
    TaskRules rules,
    List<Dependency> after,
    JobKind kind,
    String program,
    long inputBytes) {
  private static final int PROGRAM_WORDS = 2;
  private static final int PROGRAM_CHARS = 100;
  private static final Pattern SPACE = Pattern.compile("\\s+");

  public StageHeader {
    after = List.copyOf(after);
    if (taskCount <= 0 || taskCount > JobSpec.MAX_TASKS) {
      throw new IllegalArgumentException("a stage with " + taskCount + " tasks");
    }
    if (rules.maxFailures() <= 0) {
      throw new IllegalArgumentException("maxFailures must be positive: " + rules.maxFailures());
    }
  }

  /** Whether what its tasks wait for is there, among all stages of their job. */
  void checkAfter(List<StageHeader> all) {
    for (Dependency dependency : after) {
      boolean fits =
          switch (dependency) {
            case Dependency.All one -> isStage(one.stage(), all);
            case Dependency.Each one ->
                isStage(one.stage(), all) && all.get(one.stage()).taskCount == taskCount;
            case Dependency.Grouped one ->
                isStage(one.stage(), all)
                    && one.groupOfBefore().length == all.get(one.stage()).taskCount
                    && one.groupOfAfter().length == taskCount;
            case Dependency.Tasks _ -> true;
          };
      if (!fits) {
        throw new IllegalArgumentException("a stage that waits for what is not there");
      }
    }
  }

  private static boolean isStage(int number, List<StageHeader> all) {
    return number >= 0 && number < all.size();
  }

  public StageHeader(int taskCount, Requirements needs, TaskRules rules, List<Dependency> after) {
    this(taskCount, needs, rules, after, JobKind.COMMAND, "", 0);
  }

  /** Whether its tasks start together. */
  public boolean isGang() {
    return rules.gang() && taskCount > 1;
  }

  /**
   * The stage when data that it waits for were published.
   *
   * @param before its predecessors so far
   * @param now the same ones in the same order, some of them no longer open
   */
  public StageHeader published(List<After> before, List<After> now) {
    List<Dependency> next = new ArrayList<>(after);
    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).awaitsData() && !now.get(i).awaitsData()) {
        next.set(i, new Dependency.Tasks(TaskRange.parse(now.get(i).tasks())));
      }
    }
    return new StageHeader(taskCount, needs, rules, next, kind, program, inputBytes);
  }

  public StageHeader withRules(TaskRules value) {
    return new StageHeader(taskCount, needs, value, after, kind, program, inputBytes);
  }

  /**
   * The stages of a job whose {@link StageGraph} was found right. Costs as much as it has tasks.
   */
  public static List<StageHeader> of(JobSpec spec) {
    StageGraph graph = StageGraph.of(spec.stages());
    List<StageHeader> headers = new ArrayList<>(spec.stages().size());
    for (Stage stage : spec.stages()) {
      List<Dependency> after = new ArrayList<>();
      for (After one : StageGraph.predecessors(stage)) {
        after.add(dependency(graph, spec.stages(), stage, one));
      }
      headers.add(
          new StageHeader(
              Math.toIntExact(stage.taskCount()),
              stage.needs(),
              stage.rules(),
              after,
              spec.kind(),
              program(stage),
              stage.inputBytes()));
    }
    return List.copyOf(headers);
  }

  /** The name of the stage, the program, and its first argument, such as a script. */
  private static String program(Stage stage) {
    if (stage.command().isEmpty()) {
      return "";
    }
    Stream<String> words = stage.command().stream().flatMap(SPACE::splitAsStream);
    String program =
        Stream.concat(Stream.of(stage.name()), words.limit(PROGRAM_WORDS))
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    return program.substring(0, Math.min(PROGRAM_CHARS, program.length()));
  }

  private static Dependency dependency(
      StageGraph graph, List<Stage> stages, Stage stage, After after) {
    if (after.stage().isEmpty()) {
      return new Dependency.Tasks(
          after.awaitsData() ? List.of() : TaskRange.parse(after.tasks()), after.any());
    }
    int number = graph.number(after.stage());
    return switch (after.matching()) {
      case ALL -> new Dependency.All(number, after.any());
      case EACH -> new Dependency.Each(number);
      case PARAMS -> grouped(number, stages.get(number), stage);
    };
  }

  /** A hash join: tasks with the same values of all shared parameters are one group. */
  private static Dependency.Grouped grouped(int number, Stage before, Stage after) {
    List<String> shared = StageGraph.sharedParams(before, after);
    Map<List<String>, Integer> groups = new HashMap<>();
    int[] groupOfBefore = groups(before, shared, groups, true);
    int count = groups.size();
    return new Dependency.Grouped(
        number, count, groupOfBefore, groups(after, shared, groups, false));
  }

  private static int[] groups(
      Stage stage, List<String> shared, Map<List<String>, Integer> groups, boolean mayAdd) {
    int[] positions = shared.stream().mapToInt(stage.paramNames()::indexOf).toArray();
    int[] result = new int[Math.toIntExact(stage.taskCount())];
    for (int i = 0; i < result.length; i++) {
      List<String> params = stage.params(i);
      List<String> key = new ArrayList<>(positions.length);
      for (int position : positions) {
        key.add(params.get(position));
      }
      if (mayAdd) {
        groups.putIfAbsent(key, groups.size());
      }
      result[i] = groups.getOrDefault(key, -1);
    }
    return result;
  }
}
