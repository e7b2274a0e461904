package dev.imker.bench.planner;

import fr.uga.pddl4j.encoding.CodedProblem;
import fr.uga.pddl4j.heuristics.relaxation.Heuristic;
import fr.uga.pddl4j.planners.ProblemFactory;
import fr.uga.pddl4j.planners.statespace.ff.FF;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The FF planner of pddl4j; its plans are sequential and of any length. */
final class Pddl4jPlanner implements PlannerContender {
  @Override
  public String solve(Path domainFile, Path problemFile, Duration timeout) throws IOException {
    ProblemFactory factory = new ProblemFactory();
    if (!factory.parse(domainFile.toFile(), problemFile.toFile()).isEmpty()) {
      return "parse errors";
    }
    CodedProblem problem = factory.encode();
    if (!problem.isSolvable()) {
      return PlannerRun.UNSOLVABLE;
    }
    FF planner =
        new FF(Math.toIntExact(timeout.toMillis()), Heuristic.Type.FAST_FORWARD, 1.0, false, 0);
    return planner.search(problem) == null ? "no plan" : PlannerRun.SOLVED;
  }
}
