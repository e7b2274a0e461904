package dev.imker.model.job;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The dependencies between the stages of a job, and whether they are free of cycles. */
public final class StageGraph {
  private final List<Stage> stages;
  private final Map<String, Integer> numbers = new HashMap<>();

  private StageGraph(List<Stage> stages) {
    this.stages = stages;
    for (int i = 0; i < stages.size(); i++) {
      numbers.put(stages.get(i).name(), i);
    }
  }

  public static StageGraph of(List<Stage> stages) {
    return new StageGraph(stages);
  }

  /**
   * All dependencies of a stage without duplicates: those it names itself, and those of its inputs.
   */
  public static List<After> predecessors(Stage stage) {
    if (stage.after().isEmpty() && stage.dataInputs().isEmpty()) {
      return List.of();
    }
    Set<After> all = new LinkedHashSet<>(stage.after());
    stage.dataInputs().forEach(input -> all.add(input.from()));
    return List.copyOf(all);
  }

  /** The jobs whose tasks those of a job depend on. */
  public static Set<JobId> jobsBefore(JobSpec spec) {
    Set<JobId> before = new HashSet<>();
    for (Stage stage : spec.stages()) {
      for (After after : predecessors(stage)) {
        if (!after.tasks().isEmpty()) {
          TaskRange.parse(after.tasks()).forEach(range -> before.add(range.job()));
        }
      }
    }
    return before;
  }

  /** Position of a stage by its name. */
  public int number(String name) {
    Integer number = numbers.get(name);
    if (number == null) {
      throw new InputException(
          "There is no stage '"
              + name
              + "' in this job; it has: "
              + String.join(", ", stages.stream().map(Stage::name).toList())
              + ".");
    }
    return number;
  }

  /** The common parameters of two stages, in the order of the second. */
  public static List<String> sharedParams(Stage one, Stage other) {
    Set<String> names = new HashSet<>(one.paramNames());
    return other.paramNames().stream().filter(names::contains).toList();
  }

  /**
   * A cycle of stages that depend on each other, in the order of execution, with the same first and
   * last stage; empty if there is none. All named stages must exist.
   */
  // Depth-first with an explicit stack, because a job may be a chain of thousands of stages.
  public List<String> circle() {
    List<List<Integer>> before = new ArrayList<>();
    for (Stage stage : stages) {
      before.add(
          predecessors(stage).stream()
              .flatMap(after -> within(after).stream())
              .distinct()
              .toList());
    }
    int[] next = new int[stages.size()];
    boolean[] onPath = new boolean[stages.size()];
    for (int root = 0; root < next.length; root++) {
      List<Integer> path = new ArrayList<>();
      if (next[root] == 0) {
        path.add(root);
        onPath[root] = true;
      }
      while (!path.isEmpty()) {
        int stage = path.getLast();
        if (next[stage] == before.get(stage).size()) {
          next[stage]++; // visited and left
          onPath[stage] = false;
          path.removeLast();
          continue;
        }
        int other = before.get(stage).get(next[stage]++);
        if (onPath[other]) {
          return circle(path, other);
        }
        if (next[other] == 0) {
          path.add(other);
          onPath[other] = true;
        }
      }
    }
    return List.of();
  }

  /** The stage of this job that is referred to or publishes the data; at most one. */
  private List<Integer> within(After after) {
    if (!after.stage().isEmpty()) {
      return List.of(number(after.stage()));
    }
    return after.awaitsData() ? publisher(DataReference.parse(after.data()).name()) : List.of();
  }

  /** The stage that publishes data of a name; at most one. */
  public List<Integer> publisher(String data) {
    for (int i = 0; i < stages.size(); i++) {
      if (stages.get(i).rules().publish().equals(data)) {
        return List.of(i);
      }
    }
    return List.of();
  }

  private List<String> circle(List<Integer> path, int again) {
    // The path leads from a stage to its dependencies; people read it the other way round.
    List<String> names = new ArrayList<>();
    names.add(stages.get(again).name());
    for (int i = path.size() - 1; path.get(i) != again; i--) {
      names.add(stages.get(path.get(i)).name());
    }
    names.add(stages.get(again).name());
    return names;
  }
}
