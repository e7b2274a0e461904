package dev.imker.cli;

import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.Planner;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.planner.pddl.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker plan}: the plan with the fewest parallel steps for a PDDL problem. */
@Command(
    name = "plan",
    sortOptions = false,
    exitCodeOnInvalidInput = 3,
    description = "Find the plan with the fewest parallel steps for a PDDL problem.",
    footer = {"", "Exit codes: 0 solved, 1 unsolvable (proved), 2 time-out, 3 bad input."})
final class PlanCommand implements Callable<Integer> {
  private static final int SOLVED = 0;
  private static final int UNSOLVABLE = 1;
  private static final int TIMEOUT = 2;
  private static final int BAD_INPUT = 3;

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--domain",
      paramLabel = "FILE",
      required = true,
      description = "Domain: types, predicates, actions.")
  Path domainFile = Path.of("");

  @Option(
      names = "--problem",
      paramLabel = "FILE",
      required = true,
      description = "Problem: objects, start state, goal.")
  Path problemFile = Path.of("");

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Give up after this time (default: ${DEFAULT-VALUE}).")
  double timeoutSeconds = 60;

  @Option(names = "--json", description = "Print the result as JSON.")
  boolean json;

  @Option(
      names = "--dot",
      paramLabel = "FILE",
      description = "Write the plan as a graph of producers and consumers (Graphviz).")
  @Nullable Path dot;

  @Override
  public Integer call() {
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    Path file = domainFile;
    try {
      Domain domain = Pddl.domain(file);
      file = problemFile;
      Problem problem = Pddl.problem(file, domain);
      return solve(domain, problem);
    } catch (PddlException e) {
      err.println("imker: " + file + ":" + e.getMessage());
    } catch (NoSuchFileException e) {
      err.println("imker: " + e.getFile() + ": there is no such file.");
    } catch (IOException e) {
      err.println("imker: " + file + ": " + e.getMessage());
    }
    return BAD_INPUT;
  }

  private int solve(Domain domain, Problem problem) throws IOException {
    Duration timeout = Duration.ofMillis(Math.max(1, (long) (timeoutSeconds * 1000)));
    PlanResult result = Planner.plan(domain, problem, PlanLimits.of(timeout));
    if (dot != null && result.status() == PlanStatus.SOLVED) {
      Files.writeString(dot, PlanDag.of(domain, problem, result.steps()).toDot());
    }
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (json) {
      out.println(result.toJson());
    } else {
      print(out, result);
    }
    return switch (result.status()) {
      case SOLVED -> SOLVED;
      case UNSOLVABLE -> UNSOLVABLE;
      case TIMEOUT -> TIMEOUT;
    };
  }

  private static void print(PrintWriter out, PlanResult result) {
    switch (result.status()) {
      case SOLVED ->
          out.println(
              "solved: "
                  + result.stepCount()
                  + " parallel steps, "
                  + result.actionCount()
                  + " actions, "
                  + result.millis()
                  + " ms");
      case UNSOLVABLE -> out.println("unsolvable: proved in " + result.millis() + " ms");
      case TIMEOUT -> out.println("no answer within the time limit (--timeout SECONDS)");
    }
    int step = 1;
    for (List<PlannedAction> actions : result.steps()) {
      for (PlannedAction action : actions) {
        out.println("  " + step + "  " + action);
      }
      step++;
    }
  }
}
