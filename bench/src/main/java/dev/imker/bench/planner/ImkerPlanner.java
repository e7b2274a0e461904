package dev.imker.bench.planner;

import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlanValidator;
import dev.imker.planner.Planner;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Our planner; every plan is checked, within the time that is measured. */
final class ImkerPlanner implements PlannerContender {
  @Override
  public String solve(Path domainFile, Path problemFile, Duration timeout) throws IOException {
    Domain domain = Pddl.domain(domainFile);
    Problem problem = Pddl.problem(problemFile, domain);
    PlanResult result = Planner.plan(domain, problem, PlanLimits.of(timeout));
    if (result.status() != PlanStatus.SOLVED) {
      return result.status().label();
    }
    return new PlanValidator(domain, problem)
        .findFault(result.steps())
        .map(fault -> "invalid: " + fault)
        .orElse(String.valueOf(result.stepCount()));
  }
}
