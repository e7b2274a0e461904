package dev.imker.jobfile;

import dev.imker.model.DataInput;
import dev.imker.model.InputException;
import dev.imker.model.InputFile;
import dev.imker.model.JobKind;
import dev.imker.model.Placeholders;
import dev.imker.model.Requirements;
import dev.imker.model.Stage;
import dev.imker.model.SweepAxis;
import dev.imker.model.TaskRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Makes a stage from its fields and the files they name. */
final class StageBuilder {
  private static final int MOST_COMMAND_CHARS = 120_000;
  private static final int MOST_STDIN_CHARS = 1_000_000;
  private static final List<String> EVERYTHING = List.of("*");
  private static final String NONE = "none";

  private final int number;
  private final StageSource source;
  private final JobKind kind;
  private final JobFiles files;
  private final Predecessors predecessors;
  private final Findings findings;
  private final Set<String> known = new TreeSet<>(List.of("task", "job"));
  private final List<LocalInput> local = new ArrayList<>();
  private final List<InputFile> stored = new ArrayList<>();
  private final List<DataInput> data = new ArrayList<>();
  private boolean allKnown = true;
  private final Set<String> sent = new HashSet<>();
  private final Map<String, Spot> paths = new LinkedHashMap<>();

  StageBuilder(
      int number,
      StageSource source,
      JobKind kind,
      JobFiles files,
      Predecessors predecessors,
      Findings findings) {
    this.number = number;
    this.source = source;
    this.kind = kind;
    this.files = files;
    this.predecessors = predecessors;
    this.findings = findings;
  }

  /** Files to send, known after {@link #build}. */
  List<LocalInput> local() {
    return local;
  }

  Stage build(String name) {
    List<SweepAxis> sweep = sweep();
    sweep.forEach(axis -> known.add(axis.name()));
    List<String> command = command();
    List<String> results = results();
    Map<String, String> env = env();
    inputs();
    return new Stage(
        name,
        command,
        source.get(JobForm.PAYLOAD, ""),
        sweep,
        env,
        stored,
        data,
        results,
        source.get(JobForm.NEEDS, Requirements.ANY),
        rules(),
        predecessors.resolve(name, source.get(JobForm.AFTER, List.of())));
  }

  private List<SweepAxis> sweep() {
    List<SweepEntry> sweep = source.get(JobForm.SWEEP);
    if (sweep == null) {
      allKnown = !source.has(JobForm.SWEEP);
      return List.of();
    }
    int before = findings.count();
    Spot spot = source.spot(JobForm.SWEEP);
    SweepExpansion.Expanded expanded = SweepExpansion.expand(sweep, spot, files, findings);
    expanded
        .inputs()
        .forEach(
            (path, file) ->
                addLocal(path, file, false, "", expanded.params().getOrDefault(path, ""), spot));
    allKnown = expanded.complete() && findings.count() == before;
    return expanded.axes();
  }

  // ---------------------------------------------------------------- texts

  private List<String> command() {
    List<String> command = source.get(JobForm.COMMAND, List.of());
    Spot spot = source.spot(JobForm.COMMAND);
    if (kind == JobKind.COMMAND
        && (command.isEmpty() || command.getFirst().isBlank())
        && (source.get(JobForm.COMMAND) != null || !source.has(JobForm.COMMAND))) {
      findings.error(
          spot,
          "There is nothing to run.",
          "Write command: LINE FOR THE SHELL, or command: [program, argument].");
    }
    if (command.stream().mapToLong(String::length).sum() > MOST_COMMAND_CHARS) {
      findings.error(
          spot,
          "The command is longer than %,d characters.".formatted(MOST_COMMAND_CHARS),
          "Put it into a file and name that under inputs.");
    }
    command.forEach(word -> checkPlaceholders(word, spot));
    return command;
  }

  private void checkPlaceholders(String text, Spot spot) {
    try {
      Placeholders.expand(text, this::sample);
    } catch (UnknownParameterException e) {
      findings.error(
          spot,
          "There is no parameter '" + e.name + "'.",
          suggestion(e.name) + " Write $${" + e.name + "} to pass it on as it is.");
    } catch (InputException e) {
      findings.error(spot, String.valueOf(e.getMessage()), "");
    }
  }

  private String suggestion(String name) {
    return Hints.suggest(name, known);
  }

  private String sample(String name) {
    if (allKnown && !known.contains(name)) {
      throw new UnknownParameterException(name);
    }
    return "x";
  }

  private static final class UnknownParameterException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String name;

    UnknownParameterException(String name) {
      super(name);
      this.name = name;
    }
  }

  private List<String> results() {
    List<String> results = source.get(JobForm.RESULTS, EVERYTHING);
    if (results.equals(List.of(NONE))) {
      return List.of();
    }
    results.forEach(glob -> checkGlob(glob, source.spot(JobForm.RESULTS)));
    return results;
  }

  private void checkGlob(String glob, Spot spot) {
    checkPlaceholders(glob, spot);
    String problem = WorkPaths.problem(glob);
    if (problem == null) {
      problem = Globs.problem(glob.replaceAll("\\$\\{[^}]*}", "x"));
    }
    if (problem != null) {
      findings.error(spot, "'%s': %s.".formatted(glob, problem), "");
    }
  }

  /** Variables of the job hold for all stages; a stage may change them. */
  private Map<String, String> env() {
    Map<String, String> env = new LinkedHashMap<>();
    if (source.isJoined(JobForm.ENV)) {
      env.putAll(source.job().get(JobForm.ENV, Map.of()));
    }
    env.putAll(source.get(JobForm.ENV, Map.of()));
    env.values().forEach(value -> checkPlaceholders(value, source.spot(JobForm.ENV)));
    return env;
  }

  // ---------------------------------------------------------------- rules

  private TaskRules rules() {
    TaskRules usual = TaskRules.USUAL;
    JobForm.Checkpoint checkpoint = source.get(JobForm.CHECKPOINT);
    boolean redundant = source.get(JobForm.REDUNDANT, checkpoint == null);
    if (redundant && checkpoint != null) {
      findings.error(
          source.spot(JobForm.REDUNDANT),
          "A task with checkpoints cannot be redundant: its copies would disturb each other.",
          "Leave out one of them.");
    }
    if (checkpoint != null) {
      checkpoint.files().forEach(glob -> checkGlob(glob, source.spot(JobForm.CHECKPOINT)));
    }
    String folder = source.get(JobForm.FOLDER, "");
    checkPlaceholders(folder, source.spot(JobForm.FOLDER));
    String problem = folder.isEmpty() ? null : WorkPaths.problem(folder);
    if (problem != null) {
      findings.error(source.spot(JobForm.FOLDER), "'%s': %s.".formatted(folder, problem), "");
    }
    return usual.with(
        rules -> {
          rules.maxFailures = source.get(JobForm.MAX_FAILURES, usual.maxFailures());
          rules.maxRuntimeMillis = source.get(JobForm.MAX_RUNTIME, usual.maxRuntimeMillis());
          rules.backoffMillis = source.get(JobForm.BACK_OFF, usual.backoffMillis());
          rules.redundant = redundant;
          rules.quorum = source.get(JobForm.QUORUM, usual.quorum());
          rules.pin = source.get(JobForm.PIN, usual.pin());
          rules.trust = source.get(JobForm.TRUST, usual.trust());
          rules.network = source.get(JobForm.NETWORK, usual.network());
          rules.checkpoints = checkpoint == null ? List.of() : checkpoint.files();
          rules.checkpointMillis = checkpoint == null ? 0 : checkpoint.everyMillis();
          rules.stdin = stdin();
          rules.folder = folder;
          rules.gang = source.get(JobForm.GANG, usual.gang());
        });
  }

  private String stdin() {
    JobForm.Stdin stdin = source.get(JobForm.STDIN);
    if (stdin == null) {
      return "";
    }
    Spot spot = source.spot(JobForm.STDIN);
    if (stdin.file().isEmpty()) {
      checkPlaceholders(stdin.text(), spot);
      return stdin.text();
    }
    try {
      String text = FileText.decode(files.read(stdin.file()).orElse(new byte[0]));
      if (text.length() > MOST_STDIN_CHARS) {
        findings.error(
            spot,
            "%s is longer than %,d characters.".formatted(stdin.file(), MOST_STDIN_CHARS),
            "Name it under inputs and write < " + stdin.file() + " in the command.");
        return "";
      }
      return text.replace("${", "$${");
    } catch (java.nio.charset.CharacterCodingException e) {
      findings.error(
          spot,
          stdin.file() + " is not UTF-8.",
          "Name it under inputs and write < " + stdin.file() + " in the command.");
    } catch (IOException e) {
      findings.error(spot, "%s cannot be read: %s.".formatted(stdin.file(), e.getMessage()), "");
    }
    return "";
  }

  // ---------------------------------------------------------------- inputs

  /** Inputs of the job are inputs of every stage, which may have more. */
  private void inputs() {
    if (source.isJoined(JobForm.INPUTS)) {
      source.job().get(JobForm.INPUTS, List.of()).forEach(this::add);
    }
    source.get(JobForm.INPUTS, List.of()).forEach(this::add);
  }

  private void add(InputEntry input) {
    switch (input) {
      case InputEntry.Local file -> addLocal(file);
      case InputEntry.Stored file -> {
        checkParam(file.file().param(), file.spot());
        if (checkPath(file.file().path(), file.file().os(), file.spot())) {
          stored.add(file.file());
        }
      }
      case InputEntry.Results results -> addResults(results);
    }
  }

  private void addLocal(InputEntry.Local input) {
    try {
      var found = files.find(input.from());
      if (found.isEmpty()) {
        findings.warning(
            input.spot(), "The files " + input.from() + " were not looked for here.", "");
        return;
      }
      if (found.get().isEmpty()) {
        findings.error(
            input.spot(),
            Globs.isPattern(input.from())
                ? "No file matches '" + input.from() + "'."
                : "There is no file '" + input.from() + "'.",
            "Names are relative to the job file.");
      }
      for (JobFiles.Found file : found.get()) {
        addLocal(file.name(input.as()), file, input.executable(), input.os(), "", input.spot());
      }
    } catch (IOException e) {
      findings.error(
          input.spot(), "'%s' cannot be read: %s.".formatted(input.from(), e.getMessage()), "");
    }
  }

  private void addLocal(
      String path, JobFiles.Found file, boolean executable, String os, String param, Spot spot) {
    LocalInput input =
        new LocalInput(
            number, file.source(), path, file.size(), executable || file.executable(), os, param);
    if (!sent.add(String.join("\n", path, os, file.source()))) {
      // A value of a parameter that is named as an input besides is one of every task.
      local.replaceAll(known -> known.path().equals(path) && known.os().equals(os) ? input : known);
    } else if (checkPath(path, os, spot)) {
      local.add(input);
    }
  }

  private void checkParam(String param, Spot spot) {
    if (!param.isEmpty() && allKnown && !known.contains(param)) {
      findings.error(spot, "There is no parameter '" + param + "'.", suggestion(param));
    }
  }

  private boolean checkPath(String path, String os, Spot spot) {
    String problem = WorkPaths.problem(path);
    if (problem != null) {
      findings.error(spot, "'%s': %s.".formatted(path, problem), "Give it a name with 'as'.");
      return false;
    }
    Spot before = paths.putIfAbsent(path + "\n" + os, spot);
    if (before != null) {
      findings.error(
          spot,
          "Two inputs would be '%s' in the work folder; the other is in line %d."
              .formatted(path, before.place().line()),
          "Name one of them differently with {from: FILE, as: NAME}.");
      return false;
    }
    return true;
  }

  private void addResults(InputEntry.Results results) {
    String problem = results.into().isEmpty() ? null : WorkPaths.problem(results.into());
    if (problem != null) {
      findings.error(results.spot(), "'%s': %s.".formatted(results.into(), problem), "");
    }
    predecessors
        .resolveOne(results.from())
        .ifPresent(
            after ->
                results
                    .files()
                    .forEach(glob -> data.add(new DataInput(after, glob, results.into()))));
  }
}
