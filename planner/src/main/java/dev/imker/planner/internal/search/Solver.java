package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import dev.imker.planner.internal.ground.Weights;
import dev.imker.planner.internal.sat.Cdcl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds a plan with the fewest steps or proves that there is none. Easy problems are settled by the
 * planning graph and a short backward search; where that takes too long, a SAT solver and a walk
 * through the states race each other, since each is fast where the other is slow.
 */
public final class Solver {
  /** How much of each technique to use; the defaults are what was measured to be best. */
  record Effort(long searchSteps, long quickStateSteps, long maxStateSteps, boolean sat) {
    static final Effort DEFAULT = new Effort(20_000, 4_000, Long.MAX_VALUE, true);
  }

  private static final long FIRST_ROUND_STEPS = 500_000;
  private static final int ROUND_FACTOR = 8;

  private final GroundTask task;
  private final Effort effort;
  private final Stopwatch stopwatch;
  private final PlanningGraph graph;
  private @Nullable Symmetries symmetries;

  private Solver(GroundTask task, Effort effort, Stopwatch stopwatch) {
    this.task = task;
    this.effort = effort;
    this.stopwatch = stopwatch;
    this.graph = new PlanningGraph(task, stopwatch);
  }

  /**
   * Among the plans with the fewest steps, one that weighs little.
   *
   * @throws Stopwatch.Stopped when the time is over
   */
  public static Solution solve(GroundTask task, Weights weights, Stopwatch stopwatch) {
    Solution solution = solve(task, Effort.DEFAULT, stopwatch);
    if (solution.steps() == null) {
      return solution;
    }
    Map<GroundAction, Integer> numbers = new HashMap<>();
    for (int i = 0; i < task.actions.size(); i++) {
      numbers.put(task.actions.get(i), i);
    }
    List<int[]> plan =
        solution.steps().stream()
            .map(step -> step.stream().mapToInt(numbers::get).toArray())
            .toList();
    CheapestPlan cheapest = new CheapestPlan(task, weights);
    CheapestPlan.Found found = cheapest.improve(plan, stopwatch);
    return new Solution(
        steps(task, found.plan()),
        solution.levels(),
        solution.method(),
        cheapest.weightOf(found.plan()),
        found.proved());
  }

  static Solution solve(GroundTask task, Effort effort, Stopwatch stopwatch) {
    if (!task.goalReachable()) {
      return new Solution(null, 0, Solution.Method.GRAPH);
    }
    return new Solver(task, effort, stopwatch).solve();
  }

  private Solution solve() {
    if (!expandToGoal()) {
      return none(Solution.Method.GRAPH);
    }
    Solution solution = searchGraph(effort.searchSteps);
    if (solution == null) {
      solution = walkQuickly();
    }
    return solution == null ? race() : solution;
  }

  /** False if the goal stays impossible however far the graph is expanded. */
  private boolean expandToGoal() {
    while (!graph.isGoalPossible()) {
      if (graph.hasLevelledOff()) {
        return false;
      }
      graph.expand();
    }
    return true;
  }

  private @Nullable Solution searchGraph(long maxSteps) {
    GraphSearch search = new GraphSearch(graph, stopwatch);
    long steps = maxSteps;
    try {
      while (true) {
        List<int[]> plan = search.search(graph.lastLevel(), steps);
        if (plan != null) {
          return found(plan, Solution.Method.GRAPH_SEARCH);
        }
        if (graph.hasLevelledOff() && search.provesUnsolvable()) {
          return none(Solution.Method.GRAPH_SEARCH);
        }
        steps = search.stepsLeft();
        graph.expand();
      }
    } catch (GraphSearch.Exhausted | StackOverflowError _) {
      return null;
    }
  }

  private @Nullable Solution walkQuickly() {
    Solution impossible = proveByStates(effort.quickStateSteps, stopwatch);
    return impossible != null ? impossible : walk(effort.quickStateSteps, stopwatch);
  }

  /** Goes through all states, if they are not too many, to see that none fulfils the goal. */
  private @Nullable Solution proveByStates(long maxSteps, Stopwatch watch) {
    try {
      StateSpaceSearch search = new StateSpaceSearch(task, symmetries(), maxSteps, watch);
      return search.isGoalReachable() ? null : none(Solution.Method.STATE_SPACE);
    } catch (StateSpaceSearch.TooLarge _) {
      return null;
    }
  }

  private @Nullable Solution walk(long maxSteps, Stopwatch watch) {
    try {
      List<int[]> plan = new StateSpaceSearch(task, symmetries(), maxSteps, watch).search();
      return plan == null
          ? none(Solution.Method.STATE_SPACE)
          : found(plan, Solution.Method.STATE_SPACE);
    } catch (StateSpaceSearch.TooLarge _) {
      return null;
    }
  }

  private Symmetries symmetries() {
    if (symmetries == null) {
      symmetries = new Symmetries(task, stopwatch);
    }
    return symmetries;
  }

  private Solution race() {
    List<Technique> techniques = new ArrayList<>();
    if (effort.sat) {
      techniques.add(this::solveBySat);
    }
    if (effort.maxStateSteps > 0) {
      symmetries();
      techniques.add(this::proveOrWalk);
    }
    return new Race(stopwatch).run(techniques);
  }

  private Solution solveBySat(Stopwatch watch) {
    SatEncoding encoding = new SatEncoding(graph, new Cdcl(watch));
    while (true) {
      List<int[]> plan = encoding.search(graph.lastLevel());
      if (plan != null) {
        return found(plan, Solution.Method.SAT);
      }
      graph.expand();
    }
  }

  /**
   * Tries the techniques that can also prove that there is no plan in turn, with limits that grow
   * until one suffices: which of them is best cannot be told beforehand.
   */
  private @Nullable Solution proveOrWalk(Stopwatch watch) {
    for (long steps = FIRST_ROUND_STEPS; steps < effort.maxStateSteps / ROUND_FACTOR; ) {
      Solution solution = walk(steps, watch);
      if (solution == null) {
        solution = proveByStates(steps, watch);
      }
      if (solution == null && effort.searchSteps > 0) {
        solution = new Solver(task, effort, watch).searchFromStart(steps);
      }
      if (solution != null) {
        return solution;
      }
      steps *= ROUND_FACTOR;
    }
    return null;
  }

  /** The backward search once more, on a graph that no other thread expands. */
  private @Nullable Solution searchFromStart(long maxSteps) {
    return expandToGoal() ? searchGraph(maxSteps) : none(Solution.Method.GRAPH);
  }

  private Solution none(Solution.Method method) {
    return new Solution(null, graph.lastLevel(), method);
  }

  private Solution found(List<int[]> plan, Solution.Method method) {
    return new Solution(steps(task, plan), graph.lastLevel(), method);
  }

  private static List<List<GroundAction>> steps(GroundTask task, List<int[]> plan) {
    return plan.stream()
        .map(step -> Arrays.stream(step).mapToObj(task.actions::get).toList())
        .toList();
  }
}
