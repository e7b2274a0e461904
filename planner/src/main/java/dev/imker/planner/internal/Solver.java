package dev.imker.planner.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds a plan with the fewest steps or proves that there is none. Easy problems are settled by the
 * planning graph and a short backward search; where that takes too long, a SAT solver and a walk
 * through the states race each other, since each is fast where the other is slow.
 */
public final class Solver {
  /** How much of each technique to use; the defaults are what was measured to be best. */
  record Effort(long searchSteps, long quickStateSteps, long maxStateSteps, boolean sat) {
    static final Effort DEFAULT = new Effort(10_000, 4_000, Long.MAX_VALUE, true);
  }

  private static final long STACK_BYTES = 512L << 20;

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
   * @throws Stopwatch.Stopped when the time is over
   */
  public static Solution solve(GroundTask task, Stopwatch stopwatch) {
    return solve(task, Effort.DEFAULT, stopwatch);
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
    Solution solution = searchGraph();
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

  private @Nullable Solution searchGraph() {
    GraphSearch search = new GraphSearch(graph, stopwatch);
    long steps = effort.searchSteps;
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
    AtomicBoolean decided = new AtomicBoolean();
    CompletableFuture<Solution> winner = new CompletableFuture<>();
    List<Thread> runners = new ArrayList<>();
    if (effort.sat) {
      runners.add(runner("planner-sat", winner, this::solveBySat, decided));
    }
    if (effort.maxStateSteps > 0) {
      runners.add(runner("planner-states", winner, this::walkFar, decided));
    }
    runners.forEach(Thread::start);
    try {
      return await(winner);
    } finally {
      decided.set(true);
    }
  }

  private interface Technique {
    @Nullable Solution run(Stopwatch watch);
  }

  private Thread runner(
      String name, CompletableFuture<Solution> winner, Technique technique, AtomicBoolean decided) {
    Stopwatch watch = stopwatch.forked(decided::get);
    return new Thread(
        null,
        () -> {
          try {
            Solution solution = technique.run(watch);
            if (solution != null) {
              winner.complete(solution);
            }
          } catch (RuntimeException | Error failure) {
            winner.completeExceptionally(failure);
          }
        },
        name,
        STACK_BYTES);
  }

  private static Solution await(CompletableFuture<Solution> winner) {
    try {
      return winner.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failure;
    }
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

  private @Nullable Solution walkFar(Stopwatch watch) {
    Solution solution = walk(effort.maxStateSteps, watch);
    return solution != null ? solution : proveByStates(Long.MAX_VALUE, watch);
  }

  private Solution none(Solution.Method method) {
    return new Solution(null, graph.lastLevel(), method);
  }

  private Solution found(List<int[]> plan, Solution.Method method) {
    List<List<GroundAction>> steps =
        plan.stream()
            .map(step -> Arrays.stream(step).mapToObj(task.actions::get).toList())
            .toList();
    return new Solution(steps, graph.lastLevel(), method);
  }
}
