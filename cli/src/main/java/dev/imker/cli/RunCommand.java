package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ImkerException;
import dev.imker.model.InputFile;
import dev.imker.model.JobKind;
import dev.imker.model.JobSpec;
import dev.imker.model.Stage;
import dev.imker.model.Sweep;
import dev.imker.model.SweepParser;
import dev.imker.model.TaskRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker run}: one command, or a sweep of it, as a job. */
@Command(
    name = "run",
    sortOptions = false,
    description = "Run a command on the pool, once or for every combination of a sweep.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  imker run --wait -- echo hello",
      "  imker run --wait --results out -- 'python sim.py --seed {1..100} > result.txt'",
      "  imker run --in data.csv --out '*.png' --sweep n=1..20 -- Rscript plot.R data.csv {n}",
      "",
      "One argument after -- is a line for the shell; several are a program and its arguments,",
      "passed on exactly as given. Quote braces where your own shell would expand them.",
    })
final class RunCommand extends PoolCommand {
  @Option(names = "--name", paramLabel = "NAME", description = "Name of the job.")
  @Nullable String name;

  @Option(
      names = "--project",
      paramLabel = "NAME",
      description = "Project the job belongs to (default: ${DEFAULT-VALUE}).")
  String project = "default";

  @Option(
      names = "--in",
      paramLabel = "FILE",
      description =
          "File or folder that travels with every task; NAME=FILE gives it another name there.")
  List<String> inputs = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "GLOB",
      description =
          "Result files that come back, e.g. '*.png' or 'sub/**'; default '*': every file that is"
              + " new or changed; 'none': none.")
  List<String> outputs = new ArrayList<>();

  @Option(
      names = "--env",
      paramLabel = "KEY=VALUE",
      description = "Environment variable of the tasks.")
  Map<String, String> environment = new LinkedHashMap<>();

  @Option(
      names = "--sweep",
      paramLabel = "NAME=VALUES",
      description =
          "Parameter with its values (1..100, 1..100..5, or a,b,c), written {NAME} in the command."
              + " Several make all combinations.")
  List<String> sweeps = new ArrayList<>();

  @Option(names = "--no-braces", description = "Take braces in the command literally.")
  boolean literalBraces;

  @Option(
      names = "--priority",
      paramLabel = "0..9",
      description = "Priority inside the project (default: ${DEFAULT-VALUE}).")
  int priority = JobSpec.DEFAULT_PRIORITY;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      description = "Failed attempts before a task is given up (default: ${DEFAULT-VALUE}).")
  int maxFailures = TaskRules.DEFAULT_MAX_FAILURES;

  @Option(
      names = "--max-runtime",
      paramLabel = "SECONDS",
      description = "Longest time one attempt may run (default: 24 hours; 0: no limit).")
  @Nullable Long maxRuntimeSeconds;

  @Option(
      names = "--sign",
      paramLabel = "KEY",
      description = "Sign the job, for nodes that run only signed ones (see: imker key).")
  @Nullable Path sign;

  @Mixin FollowOptions following = new FollowOptions();

  @Option(names = "--noop", hidden = true, description = "Tasks do nothing (measures the pool).")
  boolean noop;

  @Option(names = "--count", hidden = true, description = "Number of no-op tasks.")
  int count = 1;

  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "What to run, after --.")
  List<String> command = new ArrayList<>();

  @Override
  int run(ApiClient api) {
    Sweep parsed = parse();
    InputFiles files = new InputFiles();
    inputs.forEach(files::add);
    JobSpec job = jobSpec(parsed, files.send(api));
    List<JsonNode> view = List.of(new JobSender(api).send(job));
    Follow follow = new Follow(api, out(), err(), output.json);
    return following.carryOut(follow, view);
  }

  private Sweep parse() {
    if (noop) {
      return SweepParser.parse(List.of(), List.of("n=1.." + count), true);
    }
    if (command.isEmpty()) {
      throw new ImkerException("Nothing to run. Write the command after --: imker run -- COMMAND");
    }
    return SweepParser.parse(command, sweeps, literalBraces);
  }

  private JobSpec jobSpec(Sweep parsed, List<InputFile> files) {
    return JobSpec.of(
            name == null ? "" : name,
            project,
            kind(),
            sign == null
                ? stage(parsed, files)
                : SigningKey.read(sign).seal(kind(), stage(parsed, files)))
        .withPriority(priority);
  }

  private JobKind kind() {
    return noop ? JobKind.NOOP : JobKind.COMMAND;
  }

  private Stage stage(Sweep parsed, List<InputFile> files) {
    return Stage.of(parsed.command(), parsed.axes())
        .withEnv(environment)
        .withFiles(files, outputGlobs())
        .withRules(
            TaskRules.USUAL.withLimits(
                maxFailures,
                maxRuntimeSeconds == null
                    ? TaskRules.DEFAULT_MAX_RUNTIME_MILLIS
                    : Math.multiplyExact(maxRuntimeSeconds, 1000L)));
  }

  private List<String> outputGlobs() {
    if (outputs.isEmpty()) {
      return List.of("*");
    }
    return outputs.equals(List.of("none")) ? List.of() : outputs;
  }
}
