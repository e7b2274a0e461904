package dev.imker.server.internal.rest.plan;

import dev.imker.model.ImkerException;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.Planner;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.planner.pddl.Problem;
import dev.imker.server.http.ApiException;
import dev.imker.server.plan.ActionTimes;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import dev.imker.server.plan.PlannedStages.FactFile;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A state from which to plan. */
record Situation(PlanOrder order, Domain domain, Problem problem, Set<PlannedAction> without) {
  static final Duration PLANNING = Duration.ofSeconds(60);

  static Situation of(PlanOrder order) {
    String field = "domain";
    try {
      Domain domain = Pddl.domain(order.domain());
      field = "problem";
      return new Situation(order, domain, Pddl.problem(order.problem(), domain), Set.of());
    } catch (PddlException e) {
      throw ApiException.invalid(field, "The " + field + ", " + e.getMessage() + ".");
    }
  }

  /** All that a plan depends on. */
  List<String> question(ActionTimes seconds) {
    return List.of(
        order.domain(),
        order.problem(),
        problem.init().stream().map(Atom::toString).sorted().toList().toString(),
        without.stream().map(PlannedAction::toString).sorted().toList().toString(),
        seconds.roughly());
  }

  /**
   * Steps to the goal.
   *
   * @param seconds that actions take
   * @param gone whether nobody needs them any more
   * @throws InterruptedException if it was given up because the server stops, which says nothing of
   *     the problem
   */
  List<List<PlannedAction>> planned(ActionTimes seconds, BooleanSupplier gone)
      throws InterruptedException {
    PlanLimits limits = PlanLimits.of(PLANNING).orWhen(gone);
    PlanResult result = Planner.plan(domain, problem, limits, without, seconds);
    if (gone.getAsBoolean()) {
      throw ApiException.of(408, "gone", "Nobody is waiting for this plan any more.");
    }
    if (result.status() == PlanStatus.TIMEOUT && Thread.interrupted()) {
      throw new InterruptedException("planning was interrupted");
    }
    if (result.status() != PlanStatus.SOLVED) {
      String why =
          result.status() == PlanStatus.TIMEOUT
              ? "none was found within " + PLANNING.toSeconds() + " seconds"
              : result.why().isEmpty() ? "this is proved" : result.why();
      throw ApiException.of(409, "no_plan", "There is no plan: " + why + ".");
    }
    return result.steps();
  }

  PlannedStages stages(
      List<List<PlannedAction>> steps, List<PlannedAction> undone, List<FactFile> files) {
    PlanDag dag;
    try {
      dag = PlanDag.of(domain, problem, steps);
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid("plan", "This is not a plan: " + e.getMessage() + ".");
    }
    if (dag.actions().isEmpty()) {
      throw ApiException.of(409, "nothing_to_do", "The goal already holds: nothing to do.");
    }
    try {
      return new PlannedStages(order, domain, dag, undone, files);
    } catch (ApiException e) {
      throw e;
    } catch (ImkerException e) {
      throw ApiException.invalid("job", String.valueOf(e.getMessage()));
    }
  }
}
