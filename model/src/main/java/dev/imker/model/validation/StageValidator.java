package dev.imker.model.validation;

import dev.imker.model.InputException;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Placeholders;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.SecretReference;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.model.text.NearNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks one stage by itself. */
final class StageValidator {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final int MAX_SYSTEMS = 20;
  private static final int MAX_LABELS = 100;

  private final Stage stage;
  private final String where;
  private final JobKind kind;
  private final Violations violations;
  private final SweepValidator sweep;
  private final Set<String> parameters = new TreeSet<>(SweepValidator.RESERVED);

  StageValidator(Stage stage, String where, JobKind kind, Violations violations) {
    this.stage = stage;
    this.where = where;
    this.kind = kind;
    this.violations = violations;
    this.sweep = new SweepValidator(stage.sweep(), where + "sweep", violations);
  }

  /** Whether the number of tasks can be computed; known after {@link #check}. */
  boolean isCountable() {
    return sweep.isCountable();
  }

  void check(boolean hasUnknownParameters) {
    sweep.check();
    parameters.addAll(stage.paramNames());
    Parameters known = new Parameters(parameters, hasUnknownParameters);
    checkCommand(known);
    violations.length(where + "payload", stage.payload().length(), JobLimits.MAX_PAYLOAD_CHARS);
    stage.env().forEach((name, value) -> checkVariable(name, value, known));
    checkInputs(known);
    checkDataInputs();
    checkPatterns("outputs", stage.outputs(), known);
    checkNeeds(stage.needs());
    checkRules(stage.rules(), known);
    violations.count(where + "after", stage.after().size(), JobLimits.MAX_PREDECESSORS);
  }

  // ---------------------------------------------------------------- texts with parameters

  /** The valid names of placeholders. */
  private record Parameters(Set<String> names, boolean more, boolean secrets) {
    Parameters(Set<String> names, boolean more) {
      this(names, more, false);
    }

    boolean has(String name) {
      return more || names.contains(name) || (secrets && SecretReference.is(name));
    }

    Parameters orSecrets() {
      return new Parameters(names, more, true);
    }
  }

  /** The text with a sample for every parameter; null, with a violation, if there is none. */
  private @Nullable String sample(String field, String text, Parameters known, String value) {
    try {
      return Placeholders.expand(
          text,
          name -> {
            if (!known.has(name)) {
              throw new UnknownParameterException(name);
            }
            return value;
          });
    } catch (UnknownParameterException e) {
      violations.add(
          field,
          "${%s} is not a parameter of this stage.".formatted(e.name),
          suggestion(e.name, known) + " Write $${" + e.name + "} for a literal one.");
    } catch (InputException e) {
      violations.add(field, String.valueOf(e.getMessage()), "");
    }
    return null;
  }

  private static String suggestion(String name, Parameters known) {
    return NearNames.nearest(name, known.names)
        .map(near -> "Did you mean " + near + "?")
        .orElse("Known: " + String.join(", ", known.names) + ".");
  }

  private static final class UnknownParameterException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String name;

    UnknownParameterException(String name) {
      super(name);
      this.name = name;
    }
  }

  private void checkText(String field, String text, Parameters known) {
    if (text.indexOf('\0') >= 0) {
      violations.add(field, "The text contains a NUL character.", "Remove it.");
    }
    var _ = sample(field, text, known, "x");
  }

  private void checkCommand(Parameters known) {
    List<String> command = stage.command();
    String field = where + "command";
    if (kind == JobKind.COMMAND && (command.isEmpty() || command.getFirst().isBlank())) {
      violations.add(
          field,
          "There is nothing to run.",
          "Add a command: a shell command line, or a list with a program and its arguments.");
    }
    violations.count(field, command.size(), JobLimits.MAX_ARGUMENTS);
    violations.length(
        field, command.stream().mapToLong(String::length).sum(), JobLimits.MAX_COMMAND_CHARS);
    for (int i = 0; i < command.size(); i++) {
      checkText(field + "[" + i + "]", command.get(i), known);
    }
  }

  private void checkVariable(String name, String value, Parameters known) {
    String field = where + "env." + name;
    if (!VARIABLE.matcher(name).matches()) {
      violations.add(
          field,
          "'%s' is not a valid name for an environment variable.".formatted(name),
          "Use letters, digits and _, starting with a letter or _.");
    }
    checkText(field, value, known.orSecrets());
  }

  // ---------------------------------------------------------------- files

  private void checkInputs(Parameters known) {
    List<InputFile> inputs = stage.inputs();
    violations.count(where + "inputs", inputs.size(), JobLimits.MAX_FILES);
    Set<String> seen = new HashSet<>();
    Map<String, InputFile> byPath = new HashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      InputFile input = inputs.get(i);
      String field = where + "inputs[" + i + "].path";
      if (checkPath(field, input.path()) && !seen.add(input.path() + "\n" + input.os())) {
        violations.add(
            field,
            "Two inputs would both be '%s' in the work folder.".formatted(input.path()),
            "Rename one of them.");
      }
      byPath.putIfAbsent(input.path(), input);
      violations.range(where + "inputs[" + i + "].size", input.size(), 0, Long.MAX_VALUE);
      if (!input.param().isEmpty() && !known.has(input.param())) {
        violations.add(
            where + "inputs[" + i + "].param",
            "'%s' is not a parameter of this stage.".formatted(input.param()),
            suggestion(input.param(), known));
      }
    }
    for (int i = 0; i < inputs.size(); i++) {
      checkNotInside(inputs.get(i), byPath, where + "inputs[" + i + "].path");
    }
  }

  /** A file cannot also be the folder of another one. */
  private void checkNotInside(InputFile input, Map<String, InputFile> byPath, String field) {
    String path = input.path();
    for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      InputFile file = byPath.get(path.substring(0, end));
      if (file != null && canMeet(input, file)) {
        violations.add(
            field,
            "'%s' would be inside '%s', which is a file.".formatted(path, file.path()),
            "Rename one of them.");
        return;
      }
    }
  }

  private static boolean canMeet(InputFile one, InputFile other) {
    return one.os().isEmpty() || other.os().isEmpty() || one.os().equalsIgnoreCase(other.os());
  }

  private boolean checkPath(String field, String path) {
    String problem = WorkPaths.problem(path);
    if (problem != null) {
      violations.add(field, "'%s': %s.".formatted(shown(path), problem), "Give it another name.");
    }
    return problem == null;
  }

  private void checkDataInputs() {
    violations.count(where + "dataInputs", stage.dataInputs().size(), JobLimits.MAX_FILES);
    // Parameters of the producing stage are known only there.
    Parameters any = new Parameters(Set.of(), true);
    for (int i = 0; i < stage.dataInputs().size(); i++) {
      DataInput data = stage.dataInputs().get(i);
      String field = where + "dataInputs[" + i + "]";
      String problem = WorkPaths.patternProblem(data.glob());
      if (problem != null) {
        violations.add(field + ".glob", "'%s': %s.".formatted(shown(data.glob()), problem), "");
      }
      String into = data.into().isEmpty() ? null : sample(field + ".into", data.into(), any, "x");
      if (into != null) {
        checkPath(field + ".into", into);
      }
    }
  }

  private void checkPatterns(String name, List<String> globs, Parameters known) {
    violations.count(where + name, globs.size(), JobLimits.MAX_FILES);
    for (int i = 0; i < globs.size(); i++) {
      checkPattern(where + name + "[" + i + "]", globs.get(i), known);
    }
  }

  /** Parameter values are literal in a pattern, which is not possible inside brackets. */
  private void checkPattern(String field, String glob, Parameters known) {
    String filled = sample(field, glob, known, "x");
    if (filled == null) {
      return;
    }
    String problem = WorkPaths.patternProblem(filled);
    if (problem == null && IN_BRACKETS.matcher(glob).find()) {
      problem = "a parameter cannot be used inside [ ]";
    }
    if (problem != null) {
      violations.add(field, "'%s': %s.".formatted(shown(glob), problem), "");
    }
  }

  private static final Pattern IN_BRACKETS = Pattern.compile("\\[[^]]*\\$\\{");

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  // ---------------------------------------------------------------- needs and rules

  private void checkNeeds(Requirements needs) {
    violations.count(
        where + "needs.alternatives", needs.alternatives().size(), JobLimits.MAX_ALTERNATIVES);
    for (int i = 0; i < needs.alternatives().size(); i++) {
      Requirements.Need need = needs.alternatives().get(i);
      String field = where + "needs.alternatives[" + i + "].";
      violations.count(field + "os", need.os().size(), MAX_SYSTEMS);
      violations.count(field + "arch", need.arch().size(), MAX_SYSTEMS);
      checkAmount(field + "cores", need.cores(), JobLimits.MAX_CORES);
      checkAmount(field + "gpus", need.gpus(), JobLimits.MAX_GPUS);
      if (need.gpus() > 1 && need.gpus() != Math.rint(need.gpus())) {
        violations.add(
            field + "gpus",
            need.gpus() + " GPUs: only an amount below 1 can be fractional.",
            "Ask for whole devices, or for a fraction of one such as 0.5.");
      }
      if (need.wholeMachine() && need.cores() > 0) {
        violations.add(
            field + "cores", "Both 'all' and a number of cores are given.", "Keep one of them.");
      }
      checkResources(field, need);
      violations.range(field + "memoryBytes", need.memoryBytes(), 0, Long.MAX_VALUE);
      violations.range(field + "heapBytes", need.heapBytes(), 0, Long.MAX_VALUE);
      violations.range(field + "diskBytes", need.diskBytes(), 0, Long.MAX_VALUE);
      violations.count(field + "labels", need.labels().size(), MAX_LABELS);
      violations.count(field + "runtimes", need.runtimes().size(), MAX_LABELS);
      violations.range(field + "downloadBytes", need.downloadBytes(), 0, Long.MAX_VALUE);
    }
  }

  private void checkResources(String field, Requirements.Need need) {
    violations.count(field + "resources", need.resources().size(), MAX_LABELS);
    need.resources()
        .forEach(
            (name, amount) -> {
              if (!Requirements.isResourceName(name)) {
                violations.add(
                    field + "resources",
                    "'%s' is not a valid resource name.".formatted(shown(name)),
                    "Names have up to 64 letters, digits, '-', '_' or '.'; cores, memory, disk and"
                        + " gpus are fields of their own.");
              } else if (checkAmount(field + "resources." + name, amount, JobLimits.MAX_AMOUNT)
                  && amount == 0) {
                violations.add(
                    field + "resources." + name, "An amount of 0 has no effect.", "Remove it.");
              }
            });
    for (String name : need.byAttempt()) {
      boolean asked =
          switch (name) {
            case "cores" -> need.cores() > 0;
            case "memory" -> need.memoryBytes() > 0;
            case "disk" -> need.diskBytes() > 0;
            case "gpus" -> need.gpus() >= 1;
            default -> need.resources().containsKey(name);
          };
      if (!asked) {
        violations.add(
            field + "byAttempt",
            "'%s' cannot grow with the attempt: it has no amount.".formatted(shown(name)),
            "Set the amount for the first attempt.");
      }
    }
    if (need.autoMemory() && need.memoryBytes() > 0) {
      violations.add(
          field + "autoMemory",
          "Both 'auto' and an amount of memory are given.",
          "Keep one of them.");
    }
  }

  /** Amounts are counted in hundredths. */
  private boolean checkAmount(String field, double amount, int most) {
    boolean fine = amount >= 0 && amount <= most && Requirements.isInHundredths(amount);
    if (!fine) {
      violations.add(
          field,
          amount + " is not an amount.",
          "Give a number from 0 to %,d in steps of 0.01.".formatted(most));
    }
    return fine;
  }

  private void checkRules(TaskRules rules, Parameters known) {
    String at = where + "rules.";
    violations.range(at + "maxFailures", rules.maxFailures(), 1, JobLimits.MAX_FAILURES);
    violations.range(
        at + "maxRuntimeMillis", rules.maxRuntimeMillis(), 0, JobLimits.MAX_RUNTIME_MILLIS);
    violations.range(at + "backoffMillis", rules.backoffMillis(), 0, JobLimits.MAX_BACKOFF_MILLIS);
    violations.range(at + "quorum", rules.quorum(), 0, JobLimits.MAX_QUORUM);
    violations.range(at + "atMost", rules.atMost(), 0, JobSpec.MAX_TASKS);
    if (rules.atMost() > 0 && rules.gang()) {
      violations.add(
          at + "atMost", "All tasks of a gang start together.", "Remove at-most or gang.");
    }
    violations.range(at + "maxMemoryBytes", rules.maxMemoryBytes(), 0, Long.MAX_VALUE);
    violations.range(at + "startMillis", rules.startMillis(), 0, JobLimits.MAX_START_MILLIS);
    if (rules.gang() && rules.startMillis() > 0) {
      violations.add(
          at + "startMillis",
          "A gang cannot have a start time.",
          "Remove one of them, or submit the job when it should start.");
    }
    violations.range(at + "trust", rules.trust(), 0, JobLimits.MAX_TRUST);
    violations.range(
        at + "checkpointMillis", rules.checkpointMillis(), 0, JobLimits.MAX_RUNTIME_MILLIS);
    checkCheckpoints(rules, at);
    violations.length(at + "stdin", rules.stdin().length(), JobLimits.MAX_STDIN_CHARS);
    checkText(at + "stdin", rules.stdin(), known);
    checkFolder(at + "folder", rules.folder(), known);
  }

  private void checkCheckpoints(TaskRules rules, String at) {
    violations.count(at + "checkpoints", rules.checkpoints().size(), JobLimits.MAX_GLOBS);
    for (int i = 0; i < rules.checkpoints().size(); i++) {
      String glob = rules.checkpoints().get(i);
      String problem =
          glob.contains("${")
              ? "parameters are not filled in here"
              : WorkPaths.patternProblem(glob);
      if (problem != null) {
        violations.add(
            at + "checkpoints[" + i + "]", "'%s': %s.".formatted(shown(glob), problem), "");
      }
    }
    if (rules.speculative() && !rules.checkpoints().isEmpty()) {
      violations.add(
          at + "speculative",
          "A task with checkpoints cannot have speculative copies: they would disturb each other.",
          "Remove one of them.");
    }
  }

  /** The folder of every task must be inside its agent's, whatever values its name contains. */
  private void checkFolder(String field, String folder, Parameters known) {
    String filled = folder.isEmpty() ? null : sample(field, folder, known, "x");
    if (filled == null || !checkPath(field, filled)) {
      return;
    }
    for (SweepAxis axis : stage.sweep()) {
      List<String> values = axis.values();
      if (values != null && folder.contains("${" + axis.name() + "}")) {
        checkFolder(field, folder, axis.name(), values);
      }
    }
  }

  private void checkFolder(String field, String folder, String parameter, List<String> values) {
    for (String value : values) {
      String filled = Placeholders.expand(folder, name -> name.equals(parameter) ? value : "x");
      if (WorkPaths.problem(filled) != null || value.equals(".") || value.equals("..")) {
        violations.add(
            field,
            "With %s=%s it would be '%s', which is not a folder inside the work folder."
                .formatted(parameter, shown(value), shown(filled)),
            "Use another parameter for its name.");
        return;
      }
    }
  }
}
