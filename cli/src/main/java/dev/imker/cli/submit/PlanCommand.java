package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.follow.FollowOptions;
import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.terminal.SafeWriter;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker plan}: the plan with the fewest parallel steps for a PDDL problem, and its job. */
@Command(
    name = "plan",
    sortOptions = false,
    exitCodeOnInvalidInput = 3,
    description = "Find the plan with the fewest parallel steps for a PDDL problem, and run it.",
    footer = {
      "",
      "Exit codes: 0 solved (with --wait: and done), 1 unsolvable (proved) or failed, 2"
          + " timeout,",
      "3 bad input.",
      "",
      "Examples:",
      "  imker plan domain.pddl problem.pddl",
      "  imker plan domain.pddl problem.pddl --bind actions.yaml --run --wait",
      "",
      "docs/planner.md explains how to bind actions to commands."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int SOLVED = 0;
  private static final int UNSOLVABLE = 1;
  private static final int TIMEOUT = 2;
  private static final int BAD_INPUT = 3;

  @Spec @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..2",
      description = "Domain and problem files, instead of --domain and --problem.")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--domain",
      paramLabel = "FILE",
      description = "Domain file: types, predicates, actions.")
  @Nullable Path domainOption;

  @Option(
      names = "--problem",
      paramLabel = "FILE",
      description = "Problem file: objects, start state, goal.")
  @Nullable Path problemOption;

  @Option(
      names = "--bind",
      paramLabel = "FILE",
      description = "File that binds actions to commands (YAML).")
  @Nullable Path bindings;

  @Option(names = "--run", description = "Run the plan as a job; needs --bind.")
  boolean run;

  @Option(
      names = "--dry-run",
      description = "Show the job that would be submitted, as a job file; needs --bind.")
  boolean dryRun;

  @Mixin ServerOptions server = new ServerOptions();
  @Mixin FollowOptions following = new FollowOptions();

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
    List<Path> inputs = new ArrayList<>(files);
    if (domainOption != null) {
      inputs.addFirst(domainOption);
    }
    if (problemOption != null) {
      inputs.add(problemOption);
    }
    if (inputs.size() != 2) {
      return refuse("Name a domain and a problem: imker plan domain.pddl problem.pddl", Map.of());
    }
    if ((run || dryRun || following.waits()) && bindings == null) {
      return refuse("Name the file that binds actions to commands: --bind actions.yaml", Map.of());
    }
    Path file = inputs.getFirst();
    try {
      Domain domain = Pddl.domain(file);
      file = inputs.getLast();
      Problem problem = Pddl.problem(file, domain);
      PlanRun planRun = null;
      if (bindings != null) {
        file = bindings;
        planRun = PlanRun.read(bindings, inputs, domain, problem);
        if (!planRun.isValid()) {
          return refuse(planRun.findings(), Map.of("file", bindings.toString()));
        }
      }
      PlanResult result = solve(domain, problem, planRun == null ? _ -> 0 : times(planRun));
      if (dot != null && result.status() == PlanStatus.SOLVED) {
        file = dot;
        Files.writeString(file, PlanDag.of(domain, problem, result.steps()).toDot());
      }
      return planRun == null || result.status() != PlanStatus.SOLVED
          ? exitCode(result)
          : carryOut(planRun, result);
    } catch (PddlException e) {
      return refuse(
          file + ":" + e.getMessage(),
          Map.of("file", file.toString(), "line", e.line(), "column", e.column()));
    } catch (IOException e) {
      return refuse(file + ": " + trouble(e, file.equals(dot)), Map.of("file", file.toString()));
    }
  }

  private int carryOut(PlanRun planRun, PlanResult result) {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    if (result.steps().isEmpty()) {
      line.getErr().println("imker: The goal already holds: nothing to do.");
      return SOLVED;
    }
    if (dryRun) {
      line.getOut().println(planRun.jobFile(result));
    } else if (run || following.waits()) {
      following.check();
      try (ApiClient connection = server.connect()) {
        return planRun.carryOut(
            following.client(connection, line.getErr()),
            result,
            following,
            SafeWriter.of(line.getOut()),
            line.getErr(),
            json);
      }
    }
    return SOLVED;
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

  /** A plan that is to be run is one that is quick by what the pool has seen. */
  private ToDoubleFunction<PlannedAction> times(PlanRun planRun) {
    if (dryRun || (!run && !following.waits())) {
      return planRun.times(Optional.empty());
    }
    try (ApiClient connection = server.connect()) {
      return planRun.times(Optional.of(connection));
    }
  }

  private PlanResult solve(
      Domain domain, Problem problem, ToDoubleFunction<PlannedAction> seconds) {
    Duration timeout = Duration.ofMillis((long) Math.ceil(timeoutSeconds * 1000));
    PlanResult result = Planner.plan(domain, problem, PlanLimits.of(timeout), Set.of(), seconds);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    boolean submitted = run && !dryRun && result.status() == PlanStatus.SOLVED;
    if (json && !submitted) {
      out.println(result.toJson());
    } else if (!json) {
      print(out, result, problem.metric() == Problem.Metric.TOTAL_COST);
    }
    return result;
  }

  private static String weight(PlanResult result, boolean costs) {
    if (result.weight() == 0) {
      return "";
    }
    String least = result.lightest() ? "" : " (a shorter plan may exist; --timeout)";
    return costs
        ? "cost " + result.weightText() + least + ", "
        : "about " + result.weightText() + " s to run" + least + ", ";
  }

  private static int exitCode(PlanResult result) {
    return switch (result.status()) {
      case SOLVED -> SOLVED;
      case UNSOLVABLE -> UNSOLVABLE;
      case TIMEOUT -> TIMEOUT;
    };
  }

  private void print(PrintWriter out, PlanResult result, boolean costs) {
    switch (result.status()) {
      case SOLVED ->
          out.println(
              "solved: "
                  + result.stepCount()
                  + " parallel steps, "
                  + result.actionCount()
                  + " actions, "
                  + weight(result, costs)
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
