package dev.imker.planner;

import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import dev.imker.planner.internal.ground.Grounder;
import dev.imker.planner.internal.ground.Unreached;
import dev.imker.planner.internal.ground.Weights;
import dev.imker.planner.internal.search.PlanningGraph;
import dev.imker.planner.internal.search.Solution;
import dev.imker.planner.internal.search.Solver;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Literal;
import dev.imker.planner.pddl.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Finds plans with the fewest parallel steps. */
public final class Planner {
  /** Pairs that are named in a report of a level; there may be thousands. */
  private static final int MAX_PAIRS = 40;

  private Planner() {}

  /**
   * Plans within the limits; one that does not fit into memory counts as not found in time. Two
   * actions share a step only if neither deletes what the other requires or adds, nor adds what the
   * other requires to be false.
   */
  public static PlanResult plan(Domain domain, Problem problem, PlanLimits limits) {
    return plan(domain, problem, limits, Set.of(), _ -> 0);
  }

  /**
   * As above. Of the plans with the fewest steps it is the cheapest, if the problem wants that, or
   * else the one whose steps take the least time, a step taking as long as its longest action; as
   * far as the limits let that be found out.
   *
   * @param without actions that must not be in the plan
   * @param seconds how long actions take; 0 where nobody knows
   */
  public static PlanResult plan(
      Domain domain,
      Problem problem,
      PlanLimits limits,
      Set<PlannedAction> without,
      ToDoubleFunction<PlannedAction> seconds) {
    Stopwatch stopwatch = new Stopwatch(limits.timeout(), limits.cancelled());
    Set<Atom> excluded =
        without.stream()
            .map(action -> new Atom(action.name(), action.arguments()))
            .collect(Collectors.toSet());
    Weights weights =
        problem.metric() == Problem.Metric.TOTAL_COST
            ? Weights.costs(domain, problem)
            : new Weights(
                atom -> seconds.applyAsDouble(new PlannedAction(atom.predicate(), atom.terms())),
                true);
    try {
      GroundTask task = Grounder.ground(domain, problem, excluded, weights, stopwatch);
      PlanResult result = result(Solver.solve(task, weights, stopwatch), stopwatch);
      return task.goalReachable()
          ? result
          : explained(result, domain, problem, excluded, stopwatch);
    } catch (Stopwatch.Stopped | OutOfMemoryError _) {
      return new PlanResult(PlanStatus.TIMEOUT, List.of(), 0, millis(stopwatch), "none");
    }
  }

  private static PlanResult explained(
      PlanResult result, Domain domain, Problem problem, Set<Atom> excluded, Stopwatch stopwatch) {
    try {
      Unreached why = Unreached.of(domain, problem, excluded, stopwatch);
      return result.because(
          why.wants().stream().map(Literal::toString).toList(),
          why.missing().stream().map(Atom::toString).toList());
    } catch (Stopwatch.Stopped _) {
      return result; // the answer is known, only not why
    }
  }

  /**
   * The planning graph up to the first level that makes the goal possible, or to where nothing
   * changes any more, or to {@code maxLevels} levels after the start.
   *
   * @throws java.util.concurrent.CancellationException when the limits are reached first
   */
  public static GraphReport graph(
      Domain domain, Problem problem, int maxLevels, PlanLimits limits) {
    Stopwatch stopwatch = new Stopwatch(limits.timeout(), limits.cancelled());
    try {
      GroundTask task = Grounder.ground(domain, problem, Set.of(), null, stopwatch);
      PlanningGraph graph = new PlanningGraph(task, stopwatch);
      List<GraphReport.Level> levels = new ArrayList<>();
      levels.add(level(graph, 0));
      while (graph.lastLevel() < maxLevels && !isComplete(task, graph)) {
        graph.expand();
        levels.add(level(graph, graph.lastLevel()));
      }
      return new GraphReport(
          levels, graph.hasLevelledOff(), task.goalReachable() && graph.isGoalPossible());
    } catch (Stopwatch.Stopped _) {
      throw new CancellationException("the graph was not finished within the limits");
    }
  }

  private static boolean isComplete(GroundTask task, PlanningGraph graph) {
    return !task.goalReachable() || graph.hasLevelledOff() || graph.isGoalPossible();
  }

  private static GraphReport.Level level(PlanningGraph graph, int number) {
    return new GraphReport.Level(
        number,
        graph.newPropositionsAt(number),
        number == 0 ? List.of() : graph.newActionsAt(number - 1),
        graph.propositionsAt(number),
        number == 0 ? 0 : graph.actionsAt(number - 1),
        graph.mutexesAt(number),
        graph.somePairsAt(number, MAX_PAIRS));
  }

  private static PlanResult result(Solution solution, Stopwatch stopwatch) {
    String method = solution.method().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    List<List<GroundAction>> steps = solution.steps();
    if (steps == null) {
      return new PlanResult(
          PlanStatus.UNSOLVABLE, List.of(), solution.levels(), millis(stopwatch), method);
    }
    List<List<PlannedAction>> planned =
        steps.stream().map(step -> step.stream().map(Planner::planned).toList()).toList();
    return new PlanResult(PlanStatus.SOLVED, planned, solution.levels(), millis(stopwatch), method)
        .weighing(solution.weight(), solution.lightest());
  }

  private static PlannedAction planned(GroundAction action) {
    return new PlannedAction(action.name(), action.arguments());
  }

  private static long millis(Stopwatch stopwatch) {
    return stopwatch.elapsedNanos() / 1_000_000;
  }
}
