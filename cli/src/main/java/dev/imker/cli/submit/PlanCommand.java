package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
public final class PlanCommand implements Callable<Integer> {
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
    if (!(timeoutSeconds >= 0)) {
      return refuse(
          "--timeout " + timeoutSeconds + ": give a number of seconds, 0 or more.", Map.of());
    }
    Path file = domainFile;
    try {
      Domain domain = Pddl.domain(file);
      file = problemFile;
      Problem problem = Pddl.problem(file, domain);
      PlanResult result = solve(domain, problem);
      if (dot != null && result.status() == PlanStatus.SOLVED) {
        file = dot;
        Files.writeString(file, PlanDag.of(domain, problem, result.steps()).toDot());
      }
      return exitCode(result);
    } catch (PddlException e) {
      return refuse(
          file + ":" + e.getMessage(),
          Map.of("file", file.toString(), "line", e.line(), "column", e.column()));
    } catch (IOException e) {
      return refuse(file + ": " + trouble(e, file.equals(dot)), Map.of("file", file.toString()));
    }
  }

  /** Says what is wrong with the input, in the form that was asked for. */
  private int refuse(String message, Map<String, Object> where) {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    line.getErr().println("imker: " + message);
    if (json) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("status", "error");
      error.put("message", message);
      error.putAll(new TreeMap<>(where));
      line.getOut().println(new ObjectMapper().valueToTree(error));
    }
    return BAD_INPUT;
  }

  private static String trouble(IOException e, boolean written) {
    return switch (e) {
      case NoSuchFileException _ when written -> "there is no such folder.";
      case NoSuchFileException _ -> "there is no such file.";
      case AccessDeniedException _ -> "that is not permitted.";
      default -> String.valueOf(e.getMessage());
    };
  }

  private PlanResult solve(Domain domain, Problem problem) {
    Duration timeout = Duration.ofMillis((long) Math.ceil(timeoutSeconds * 1000));
    PlanResult result = Planner.plan(domain, problem, PlanLimits.of(timeout));
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (json) {
      out.println(result.toJson());
    } else {
      print(out, result);
    }
    return result;
  }

  private static int exitCode(PlanResult result) {
    return switch (result.status()) {
      case SOLVED -> SOLVED;
      case UNSOLVABLE -> UNSOLVABLE;
      case TIMEOUT -> TIMEOUT;
    };
  }

  private void print(PrintWriter out, PlanResult result) {
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
      case UNSOLVABLE -> {
        out.println("unsolvable: proved in " + result.millis() + " ms");
        if (!result.why().isEmpty()) {
          out.println("  " + result.why());
        }
      }
      case TIMEOUT ->
          out.println(
              result.millis() >= timeoutSeconds * 1000
                  ? "no answer within the time limit (--timeout SECONDS)"
                  : "no answer: it does not fit into memory (IMKER_JAVA_OPTS=-Xmx…)");
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
