package dev.imker.jobfile.internal.form;

import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a job file. The reader, the schema and the reference in the documentation are all
 * generated from this table.
 */
public final class JobForm {
  public static final int VERSION = 1;

  /** The standard input of a task: a text, or the content of a file. */
  public record Stdin(String text, String file) {}

  /** What is saved while a task is running. */
  record Checkpoint(List<String> files, long everyMillis) {
    Object inFile() {
      Map<String, Object> file = new LinkedHashMap<>();
      file.put("files", files);
      file.put("every", Units.durationOrNone(everyMillis));
      return file;
    }
  }

  // ---------------------------------------------------------------- of a job

  public static final Field<Integer> IMKER =
      new Field<>("imker", Kinds.whole(VERSION, VERSION), "Version of the format: 1.");
  public static final Field<String> NAME =
      new Field<>(
          "name", JobKinds.name(), "Name of the job (or stage); by default that of the file.");
  public static final Field<String> PROJECT =
      new Field<>("project", JobKinds.name(), "Project the job belongs to; 'default' by default.");
  public static final Field<JobKind> KIND =
      new Field<>(
          "kind", Kinds.choice(kinds()), "Kind of the tasks: command (default), java or noop.");
  public static final Field<Integer> PRIORITY =
      new Field<>(
          "priority",
          Kinds.whole(0, JobLimits.MAX_PRIORITY),
          "Priority within the project, 0 to 9; 4 by default.");
  public static final Field<OnFailure> ON_FAILURE =
      new Field<>(
          "on-failure",
          JobKinds.onFailure(),
          "What to do when a task has failed permanently: carry-on (default), abort,"
              + " rollback, restart or {restart: TIMES}.");
  public static final Field<Notices> NOTIFY =
      new Field<>(
          "notify", JobKinds.notices(), "Who to notify at the end: mail addresses and web hooks.");

  // ---------------------------------------------------------------- of a stage

  public static final Field<List<String>> COMMAND =
      new Field<>(
          "command",
          Kinds.textOr(Kinds.map(Kinds.text(), List::of), Kinds.listOf(Kinds.text())),
          "Command to run: a string is a shell command line, a list is a program and its"
              + " arguments. ${name} is replaced by a parameter.");
  public static final Field<String> PAYLOAD =
      new Field<>("payload", Kinds.text(), "Input of kinds other than command.");
  public static final Field<List<SweepEntry>> SWEEP =
      new Field<>(
          "sweep",
          new SweepKind(),
          "Parameters and their values; each combination becomes a task.");
  public static final Field<List<InputEntry>> INPUTS =
      new Field<>("inputs", InputsKind.INPUTS, "Files that the tasks need.");
  public static final Field<List<String>> RESULTS =
      new Field<>(
          "results",
          Kinds.oneOrMore(Kinds.text()),
          "Result files to collect: names and patterns; '*' (default) collects all new or"
              + " changed files, none collects none.");
  public static final Field<Requirements> NEEDS =
      new Field<>(
          "needs",
          new NeedsKind(),
          "What a machine must have, and what a task reserves while it runs.");
  public static final Field<List<InputEntry.AfterEntry>> AFTER =
      new Field<>(
          "after",
          InputsKind.AFTER,
          "Stages of this job, or tasks of other jobs, that must be done first.");
  public static final Field<List<InputEntry.AfterEntry>> AFTER_ANY =
      new Field<>(
          "after-any",
          InputsKind.AFTER,
          "Stages of this job, or tasks of other jobs, that must have ended first,"
              + " successfully or not.");
  public static final Field<Map<String, String>> ENV =
      new Field<>(
          "env",
          Kinds.mapOf(
              Kinds.textOrNothing(),
              "[A-Za-z_][A-Za-z0-9_]*",
              "A variable has letters, digits and _."),
          "Environment variables.");
  public static final Field<Map<String, String>> SECRETS =
      new Field<>(
          "secrets",
          Kinds.mapOf(
              Kinds.text(), "[A-Za-z_][A-Za-z0-9_]*", "A variable has letters, digits and _."),
          "Environment variables set from your secrets: TOKEN: NAME, as set by imker"
              + " secret set NAME.");
  static final Field<String> FOLDER =
      new Field<>("folder", Kinds.text(), "Name of the work folder.");
  public static final Field<Stdin> STDIN =
      new Field<>(
          "stdin", JobKinds.stdin(), "Standard input of the task: a string, or {file: NAME}.");
  static final Field<Integer> MAX_FAILURES =
      new Field<>(
          "max-failures",
          Kinds.whole(1, JobLimits.MAX_FAILURES),
          "Failed attempts before a task is held back; 5 by default.");
  static final Field<Long> MAX_RUNTIME =
      new Field<>(
          "max-runtime",
          JobKinds.noneOr(Kinds.duration()),
          "Time limit for one attempt, such as 90s or 2h, or none; 24h by default.");
  static final Field<Long> BACK_OFF =
      new Field<>(
          "back-off",
          JobKinds.noneOr(Kinds.duration()),
          "Delay before the second attempt, doubled before each further one; none by default.");
  static final Field<Checkpoint> CHECKPOINT =
      new Field<>(
          "checkpoint",
          JobKinds.checkpoint(),
          "Files saved while a task runs and given to its next attempt.");
  static final Field<Boolean> SPECULATIVE =
      new Field<>(
          "speculative",
          Kinds.flag(),
          "Whether idle machines may run speculative copies of the last running tasks;"
              + " true by default, except with checkpoint.");
  static final Field<Integer> QUORUM =
      new Field<>(
          "quorum",
          JobKinds.wordOr("adaptive", TaskRules.ADAPTIVE, Kinds.whole(1, JobLimits.MAX_QUORUM)),
          "Number of equal results from different machines before a result counts, or"
              + " adaptive: the more results of a machine were confirmed, the less often a"
              + " second one is requested; 1 by default.");
  static final Field<String> PIN =
      new Field<>("pin", Kinds.text(), "Only machine that may run this.");
  static final Field<Integer> TRUST =
      new Field<>(
          "trust",
          Kinds.whole(0, JobLimits.MAX_TRUST),
          "Trust level that a machine must have; 0 by default.");
  static final Field<Boolean> NETWORK =
      new Field<>("network", Kinds.flag(), "Whether the tasks need the network.");
  static final Field<Boolean> GANG =
      new Field<>("gang", Kinds.flag(), "Whether all tasks of the stage must start together.");

  static final Field<Integer> AT_MOST =
      new Field<>(
          "at-most",
          Kinds.whole(1, JobSpec.MAX_TASKS),
          "How many tasks of the stage may run at once.");
  static final Field<Long> MAX_MEMORY =
      new Field<>(
          "max-memory",
          JobKinds.noneOr(Kinds.size()),
          "Memory limit of a task; a task that uses more is stopped and counts as failed.");

  static final Field<Long> START_AT =
      new Field<>(
          "start-at",
          JobKinds.moment(),
          "Earliest start time of the tasks; immediately by default.");

  static final Field<String> PUBLISH =
      new Field<>(
          "publish",
          Kinds.text(),
          "Name under which the results are published once all tasks of the stage are"
              + " done; other jobs can wait for them with data.");

  // ---------------------------------------------------------------- rules of a stage

  /**
   * A field that is one of {@link TaskRules}.
   *
   * @param json its name in JSON
   * @param write writes a value to a file
   */
  public record Rule<T>(
      String json,
      Field<T> field,
      Function<TaskRules, @Nullable T> get,
      BiConsumer<TaskRules.Draft, T> set,
      Function<T, Object> write) {
    public void read(StageSource source, TaskRules.Draft rules) {
      T value = source.get(field);
      if (value != null) {
        set.accept(rules, value);
      }
    }

    /** Writes the value to a file unless it is the default. */
    public void write(TaskRules rules, TaskRules usual, Map<String, Object> file) {
      T value = get.apply(rules);
      if (value != null && !value.equals(get.apply(usual))) {
        file.put(field.name(), write.apply(value));
      }
    }
  }

  private static <T> Rule<T> rule(
      String json,
      Field<T> field,
      Function<TaskRules, @Nullable T> get,
      BiConsumer<TaskRules.Draft, T> set) {
    return new Rule<>(json, field, get, set, value -> value);
  }

  /** In the order of reading and writing; fields that others depend on come first. */
  public static final List<Rule<?>> RULES =
      List.of(
          rule("maxFailures", MAX_FAILURES, TaskRules::maxFailures, (r, v) -> r.maxFailures = v),
          new Rule<>(
              "maxRuntimeMillis",
              MAX_RUNTIME,
              TaskRules::maxRuntimeMillis,
              (r, v) -> r.maxRuntimeMillis = v,
              Units::durationOrNone),
          new Rule<>(
              "backoffMillis",
              BACK_OFF,
              TaskRules::backoffMillis,
              (r, v) -> r.backoffMillis = v,
              Units::durationOrNone),
          new Rule<>(
              "checkpoints",
              CHECKPOINT,
              rules ->
                  rules.checkpoints().isEmpty()
                      ? null
                      : new Checkpoint(rules.checkpoints(), rules.checkpointMillis()),
              (r, v) -> {
                r.checkpoints = v.files();
                r.checkpointMillis = v.everyMillis();
                r.speculative = TaskRules.defaultSpeculative(v.files());
              },
              Checkpoint::inFile),
          rule("speculative", SPECULATIVE, TaskRules::speculative, (r, v) -> r.speculative = v),
          new Rule<>(
              "quorum",
              QUORUM,
              TaskRules::quorum,
              (r, v) -> r.quorum = v,
              value -> value == TaskRules.ADAPTIVE ? "adaptive" : value),
          rule("pin", PIN, TaskRules::pin, (r, v) -> r.pin = v),
          rule("trust", TRUST, TaskRules::trust, (r, v) -> r.trust = v),
          rule("network", NETWORK, TaskRules::network, (r, v) -> r.network = v),
          rule("gang", GANG, TaskRules::gang, (r, v) -> r.gang = v),
          rule("atMost", AT_MOST, TaskRules::atMost, (r, v) -> r.atMost = v),
          new Rule<>(
              "maxMemoryBytes",
              MAX_MEMORY,
              TaskRules::maxMemoryBytes,
              (r, v) -> r.maxMemoryBytes = v,
              Units::size),
          new Rule<>(
              "startMillis",
              START_AT,
              TaskRules::startMillis,
              (r, v) -> r.startMillis = v,
              value -> Instant.ofEpochMilli(value).toString()),
          rule("folder", FOLDER, TaskRules::folder, (r, v) -> r.folder = v),
          rule("publish", PUBLISH, TaskRules::publish, (r, v) -> r.publish = v));

  private static final Map<String, Field<?>> BY_JSON_NAME = byJsonName();

  private static Map<String, Field<?>> byJsonName() {
    Map<String, Field<?>> all = new LinkedHashMap<>();
    for (Field<?> field :
        List.of(
            NAME, PROJECT, KIND, PRIORITY, COMMAND, PAYLOAD, SWEEP, NEEDS, AFTER, ENV, INPUTS)) {
      all.put(field.name(), field);
    }
    all.put("onFailure", ON_FAILURE);
    all.put("notices", NOTIFY);
    all.put("outputs", RESULTS);
    all.put("dataInputs", INPUTS);
    RULES.forEach(rule -> all.put("rules." + rule.json(), rule.field()));
    all.put("rules.checkpointMillis", CHECKPOINT);
    all.put("rules.stdin", STDIN);
    return all;
  }

  /** The field for a path of a {@link dev.imker.model.job.JobSpec}; at most one. */
  public static List<Field<?>> fieldOf(String path) {
    String name = path.replaceFirst("\\[.*", "");
    for (String known = name; !known.isEmpty(); known = known.replaceFirst("\\.?[^.]*$", "")) {
      Field<?> field = BY_JSON_NAME.get(known);
      if (field != null) {
        return List.of(field);
      }
    }
    return List.of();
  }

  private static final List<Field<?>> STAGE_FIELDS =
      List.of(
          COMMAND,
          PAYLOAD,
          SWEEP,
          INPUTS,
          RESULTS,
          NEEDS,
          AFTER,
          AFTER_ANY,
          ENV,
          SECRETS,
          FOLDER,
          STDIN,
          MAX_FAILURES,
          MAX_RUNTIME,
          BACK_OFF,
          CHECKPOINT,
          SPECULATIVE,
          QUORUM,
          PIN,
          TRUST,
          NETWORK,
          GANG,
          AT_MOST,
          MAX_MEMORY,
          START_AT,
          PUBLISH);
  private static final List<Field<?>> JOB_FIELDS =
      List.of(IMKER, NAME, PROJECT, KIND, PRIORITY, ON_FAILURE, NOTIFY);

  static final Form STAGE = new Form(joined(List.of(NAME), STAGE_FIELDS), Set.of(), elsewhere());
  public static final Field<List<Filled>> STAGES =
      new Field<>(
          "stages",
          Kinds.listOf(STAGE),
          "Groups of tasks that depend on each other; the fields next to 'stages' are"
              + " their defaults.");
  public static final Field<List<Filled>> TASKS =
      new Field<>("tasks", Kinds.listOf(STAGE), "Another name for stages.");
  public static final Form JOB =
      new Form(
          joined(joined(JOB_FIELDS, STAGE_FIELDS), List.of(STAGES, TASKS)), Set.of(), otherWords());

  private JobForm() {}

  private static List<Field<?>> joined(List<Field<?>> some, List<Field<?>> more) {
    List<Field<?>> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /** Fields of a job that are not valid in a stage. */
  private static Map<String, String> elsewhere() {
    Map<String, String> all = new LinkedHashMap<>(otherWords());
    for (Field<?> field : JOB_FIELDS) {
      if (!field.equals(NAME)) {
        all.put(
            field.name(), "It belongs to the job: write it at the top level, next to 'stages'.");
      }
    }
    all.put("stages", "Stages cannot have stages of their own.");
    return all;
  }

  /** Names used by other systems. */
  private static Map<String, String> otherWords() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("outputs", "Write results.");
    all.put("output", "Write results.");
    all.put("files", "Use inputs for the files that tasks need, results for the files to collect.");
    all.put("depends", "Write after.");
    all.put("depends-on", "Write after.");
    all.put("timeout", "Write max-runtime.");
    all.put("retries", "Write max-failures.");
    all.put("params", "Write sweep.");
    all.put("memory", "Write it under needs.");
    all.put("cores", "Write it under needs.");
    all.put("gpus", "Write it under needs.");
    all.put("resources", "Write it under needs.");
    all.put("os", "Write it under needs.");
    all.put("environment", "Write env.");
    return all;
  }

  public static Map<String, JobKind> kinds() {
    Map<String, JobKind> kinds = new LinkedHashMap<>();
    kinds.put("command", JobKind.COMMAND);
    kinds.put("java", JobKind.JAVA);
    kinds.put("noop", JobKind.NOOP);
    return kinds;
  }
}
