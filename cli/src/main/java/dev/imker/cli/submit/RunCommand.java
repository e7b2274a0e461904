package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.data.InputFiles;
import dev.imker.cli.data.SigningKey;
import dev.imker.cli.follow.Follow;
import dev.imker.cli.follow.FollowOptions;
import dev.imker.cli.follow.JobLog;
import dev.imker.cli.follow.ResultNames;
import dev.imker.cli.options.JobFileSet;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.Sizes;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.options.ValueSources;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.model.ImkerException;
import dev.imker.model.job.After;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SecretReference;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.model.sweep.Sweep;
import dev.imker.model.sweep.SweepParser;
import dev.imker.model.text.SafeText;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker run}: one command, or a sweep of it, as a job. */
@Command(
    name = "run",
    sortOptions = false,
    description =
        "Run a command on the pool: once, for every combination of a sweep, or once per value.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  imker run --wait -- echo hello",
      "  imker run --wait --results out -- 'python sim.py --seed {1..100} > result.txt'",
      "  imker run --in data.csv --out '*.png' --sweep n=1..20 -- Rscript plot.R data.csv {n}",
      "  imker run --wait --each 'photos/*.jpg' -- 'convert {} -resize 50%% {.}.png'",
      "  imker run --wait -- 'gzip -k {}' ::: a.txt 'my file.txt'",
      "  cat hosts | imker run --wait --tag -a - -- ping -c 1 {}",
      "  imker run --cores 4 --memory 8GB --gpus 1 --label lab -- ./train.sh",
      "",
      "One argument after -- is a shell command line; several are a program and its arguments,",
      "passed on exactly as given. Quote braces where your own shell would expand them.",
      "With ':::', -a and --each: {} value, {.} without extension, {/} base name, {//} folder,",
      "{/.} base name without extension, {#} task number; see docs/cli.md for more.",
    })
public final class RunCommand extends PoolCommand {
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
          "File or folder to send with every task; NAME=FILE renames it in the task,"
              + " '.' is the content of this folder.")
  List<String> inputs = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "GLOB",
      description =
          "Result files to collect, for example '*.png' or 'sub/**' (default: '*',"
              + " every new or changed file); 'none' collects none.")
  List<String> outputs = new ArrayList<>();

  @Option(
      names = "--env",
      paramLabel = "KEY=VALUE",
      description = "Environment variable for the tasks.")
  Map<String, String> environment = new LinkedHashMap<>();

  @Option(
      names = "--secret",
      paramLabel = "KEY=NAME",
      description = "Environment variable set from one of your secrets; see 'imker secret'.")
  Map<String, String> secrets = new LinkedHashMap<>();

  @Option(
      names = "--sweep",
      paramLabel = "NAME=VALUES",
      description =
          "Parameter with its values (1..100, 1..100..5, or a,b,c), written {NAME} in"
              + " the command. Several create all combinations.")
  List<String> sweeps = new ArrayList<>();

  @Option(
      names = {"-a", "--arg-file"},
      paramLabel = "FILE",
      description = "One task per line of FILE, written {} in the command; - is standard input.")
  List<String> argFiles = new ArrayList<>();

  @Option(
      names = "--each",
      paramLabel = "GLOB",
      description =
          "One task per file, written {} in the command; each task gets only its own file.")
  List<String> globs = new ArrayList<>();

  @Option(
      names = {"-C", "--colsep"},
      paramLabel = "REGEX",
      description = "Split each value of -a or ::: at this separator; {1}, {2} are its columns.")
  @Nullable String columnSeparator;

  @Option(names = "--no-braces", description = "Take braces in the command literally.")
  boolean literalBraces;

  @Option(
      names = "--stdin",
      paramLabel = "FILE",
      description =
          "File that each task reads as standard input; - is standard input of this command.")
  @Nullable String stdin;

  @Option(names = "--pipe", description = "Split --stdin at line ends, one task per part.")
  boolean pipe;

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      description = "Size of the parts for --pipe (default: ${DEFAULT-VALUE}).")
  String block = "1M";

  @Option(
      names = "--priority",
      paramLabel = "0..9",
      description = "Priority within the project (default: ${DEFAULT-VALUE}).")
  int priority = JobSpec.DEFAULT_PRIORITY;

  @Option(
      names = {"--max-failures", "--retries"},
      paramLabel = "N",
      description =
          "Give up on a task after this many failed attempts (default: ${DEFAULT-VALUE}).")
  int maxFailures = TaskRules.DEFAULT_MAX_FAILURES;

  @Option(
      names = {"--max-runtime", "--timeout"},
      paramLabel = "TIME",
      description =
          "Maximum run time of one attempt: 90s, 2h, or a number of seconds (default:"
              + " 24h; none: no limit).")
  @Nullable String maxRuntime;

  @Option(
      names = "--max-memory",
      paramLabel = "SIZE",
      description = "Maximum memory of a task (500M, 2G); a task that uses more is stopped.")
  @Nullable String maxMemory;

  @Mixin NeedsOptions needs = new NeedsOptions();

  @Option(
      names = {"-j", "--jobs", "--at-most"},
      paramLabel = "N",
      description = "Run at most N tasks at once (0: any number).")
  int atMost;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Start when these jobs or tasks are done; if one fails, this job fails too.")
  List<String> after = new ArrayList<>();

  @Option(
      names = "--after-any",
      paramLabel = "ID",
      description = "Start when these jobs or tasks have ended, successfully or not.")
  List<String> afterAny = new ArrayList<>();

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "Start at this time: 22:00 (the next one, in your time zone), 2026-11-16T22:00, or with a"
              + " zone 2026-11-16T22:00:00Z.")
  @Nullable String at;

  @Option(
      names = "--sign",
      paramLabel = "KEY",
      description = "Sign the job, for nodes that run only signed jobs (see: imker key).")
  @Nullable Path sign;

  @Option(names = "--dry-run", description = "Show the tasks without submitting them.")
  boolean dryRun;

  @Mixin FollowOptions following = new FollowOptions();

  @Option(names = "--resume", description = "Skip tasks listed as finished in the --joblog.")
  boolean resume;

  @Option(
      names = "--resume-failed",
      description = "Skip tasks listed as successful in the --joblog.")
  boolean resumeFailed;

  @Option(names = "--noop", hidden = true, description = "Tasks do nothing (measures the pool).")
  boolean noop;

  @Option(names = "--count", hidden = true, description = "Number of no-op tasks.")
  int count = 1;

  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Command to run, after --.")
  List<String> command = new ArrayList<>();

  @Override
  public int run(ApiClient connection) {
    ApiClient api = following.client(connection, err());
    InputFiles files = new InputFiles();
    inputs.forEach(files::add);
    try (StandardInput reads = StandardInput.of(stdin, pipe, Sizes.parse("--block", block))) {
      Sweep sweep = reads.feed(parse(files), files);
      Stage stage = Stage.of(sweep.command(), sweep.axes());
      List<Integer> chosen = chosen(stage);
      if (chosen.isEmpty()) {
        err().println("All tasks have already finished according to " + following.jobLog + ".");
        return ExitCodes.OK;
      }
      boolean all = chosen.size() == stage.taskCount();
      Stage wanted = all ? stage : only(stage, chosen);
      if (dryRun) {
        new TaskPreview(out()).print(rules(wanted), files.names());
        return ExitCodes.OK;
      }
      checkResults(wanted);
      JobSpec job = jobSpec(rules(wanted).withFiles(files.send(api), outputGlobs()));
      List<JsonNode> view = List.of(send(api, job));
      Follow follow = new Follow(api, out(), err(), output.json);
      return following.carryOut(
          all ? follow : follow.withSequence(number -> chosen.get(number - 1)), view);
    }
  }

  private JsonNode send(ApiClient api, JobSpec job) {
    try {
      return new JobSender(api).send(job);
    } catch (ApiException e) {
      throw new ApiException(e.status(), e.code(), inOptions(e), e.field());
    }
  }

  /** What is wrong, told by the option that was given instead of the field that it became. */
  private String inOptions(ApiException refusal) {
    String message = String.valueOf(refusal.getMessage());
    String field = refusal.field().replaceFirst("^stages\\[0]\\.", "");
    String name =
        field
            .replaceFirst("^inputs\\b.*", "in")
            .replaceFirst("^env\\b.*", "env")
            .replaceFirst("^rules\\.", "")
            .replaceFirst("^needs\\.alternatives\\[0]\\.", "")
            .replaceFirst("^resources\\b.*", "resource")
            .replaceFirst("^labels\\b.*", "label")
            .replaceFirst("(Millis|Bytes)$", "")
            .replaceAll("([A-Z])", "-$1")
            .toLowerCase(Locale.ROOT);
    boolean known = Objects.requireNonNull(spec).optionsMap().containsKey("--" + name);
    return known && !field.isEmpty() ? message.replace(refusal.field(), "--" + name) : message;
  }

  private void checkResults(Stage stage) {
    following.check();
    if (following.results != null) {
      ResultNames.parse(following.results).requireKnown(stage.paramNames());
    }
  }

  private Sweep parse(InputFiles files) {
    if (noop) {
      return SweepParser.parse(List.of(), List.of("n=1.." + count), true);
    }
    ValueSources values = new ValueSources();
    List<String> words = new ArrayList<>(command);
    if (!words.isEmpty() && words.getFirst().equals(JobFileSet.STANDARD_INPUT)) {
      values.addLines(words.removeFirst());
    }
    argFiles.forEach(values::addLines);
    globs.forEach(glob -> addFiles(glob, values, files));
    List<String> plain = values.split(words);
    if (values.isEmpty()) {
      if (plain.isEmpty()) {
        throw new ImkerException(
            "Nothing to run. Write the command after --: imker run -- COMMAND");
      }
      return SweepParser.parse(plain, sweeps, literalBraces);
    }
    if (columnSeparator != null) {
      values.splitColumns(columnSeparator);
    }
    following.asEnded = !following.keepOrder;
    if (!globs.isEmpty() && globs.size() + argFiles.size() > 1) {
      throw new ImkerException("--each can be used only once, and not with -a.");
    }
    if (!globs.isEmpty() && columnSeparator != null) {
      throw new ImkerException("--colsep splits lines, not file names: remove --each.");
    }
    return values.sweep(plain, sweeps, literalBraces);
  }

  private void addFiles(String glob, ValueSources values, InputFiles files) {
    List<String> names = new ArrayList<>();
    for (Path file : FileGlob.find(glob)) {
      String inFolder = InputFiles.nameInWorkFolder(file);
      if (inFolder.startsWith("-")) {
        err()
            .println(
                "imker: warning: a program may take the file name "
                    + SafeText.line(inFolder)
                    + " for an option; use ./{} or -- {} in the command.");
      }
      files.addFor(ValueSources.PARAMETER, inFolder, file);
      names.add(inFolder);
    }
    values.addFiles(glob, names);
  }

  /** Numbers of the tasks that are to run, from one on. */
  private List<Integer> chosen(Stage stage) {
    if ((resume || resumeFailed) && following.jobLog == null) {
      throw new ImkerException("--resume needs --joblog FILE, which lists the finished tasks.");
    }
    Set<Integer> ended =
        (resume || resumeFailed) && following.jobLog != null
            ? JobLog.ended(following.jobLog, resumeFailed)
            : Set.of();
    List<Integer> all = new ArrayList<>();
    for (int number = 1; number <= stage.taskCount(); number++) {
      if (!ended.contains(number)) {
        all.add(number);
      }
    }
    return all;
  }

  /** A stage with some of the tasks: its parameters vary together. */
  private static Stage only(Stage stage, List<Integer> numbers) {
    List<List<String>> values = numbers.stream().map(n -> stage.params(n - 1)).toList();
    List<SweepAxis> axes = new ArrayList<>();
    for (int i = 0; i < stage.sweep().size(); i++) {
      int position = i;
      axes.add(
          SweepAxis.of(
                  stage.sweep().get(i).name(),
                  values.stream().map(task -> task.get(position)).toList())
              .zippedAs("resumed"));
    }
    return Stage.of(stage.command(), axes);
  }

  private JobSpec jobSpec(Stage stage) {
    return JobSpec.of(
            name == null ? "" : name,
            project,
            kind(),
            sign == null ? stage : SigningKey.read(sign).seal(kind(), stage))
        .withPriority(priority);
  }

  private JobKind kind() {
    return noop ? JobKind.NOOP : JobKind.COMMAND;
  }

  private Stage rules(Stage stage) {
    return stage
        .withEnv(environment())
        .withAfter(predecessors())
        .withNeeds(needs.needs())
        .withRules(
            TaskRules.USUAL
                .withLimits(maxFailures, maxRuntimeMillis())
                .with(
                    draft -> {
                      draft.atMost = atMost;
                      draft.maxMemoryBytes = maxMemoryBytes();
                      draft.startMillis = startMillis();
                    }));
  }

  private Map<String, String> environment() {
    Map<String, String> all = new LinkedHashMap<>(environment);
    secrets.forEach((variable, secret) -> all.put(variable, SecretReference.to(secret)));
    return all;
  }

  private List<After> predecessors() {
    return Stream.concat(
            after.stream().map(After::tasks),
            afterAny.stream().map(id -> After.tasks(id).orFailed()))
        .toList();
  }

  private long startMillis() {
    return at == null
        ? 0
        : StartTime.parse(at, ZonedDateTime.now(ZoneId.systemDefault())).toEpochMilli();
  }

  private long maxMemoryBytes() {
    return maxMemory == null ? 0 : Math.max(0, Sizes.parse("--max-memory", maxMemory));
  }

  private long maxRuntimeMillis() {
    if (maxRuntime == null) {
      return TaskRules.DEFAULT_MAX_RUNTIME_MILLIS;
    }
    return maxRuntime.equals("none") ? 0 : TimeSpan.millis("--max-runtime", maxRuntime, "s");
  }

  private List<String> outputGlobs() {
    if (outputs.isEmpty()) {
      return List.of("*");
    }
    return outputs.equals(List.of("none")) ? List.of() : outputs;
  }
}
