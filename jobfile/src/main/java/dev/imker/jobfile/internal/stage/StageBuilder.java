package dev.imker.jobfile.internal.stage;

import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.files.FileText;
import dev.imker.jobfile.files.Globs;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.Field;
import dev.imker.jobfile.internal.form.InputEntry;
import dev.imker.jobfile.internal.form.JobForm;
import dev.imker.jobfile.internal.form.StageSource;
import dev.imker.jobfile.internal.form.SweepEntry;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.SecretReference;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobDefaults;
import dev.imker.model.validation.JobLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates a stage from its fields and the files to which they refer. */
public final class StageBuilder {
  private static final String NONE = "none";
  private static final Pattern INDEXED = Pattern.compile("(\\w+)\\[(\\d{1,9})].*");

  private final int number;
  private final StageSource source;
  private final JobFiles files;
  private final Predecessors predecessors;
  private final Findings findings;
  private final List<LocalInput> local = new ArrayList<>();
  private final List<InputFile> stored = new ArrayList<>();
  private final List<DataInput> data = new ArrayList<>();
  private boolean allKnown = true;
  private final Set<String> sent = new HashSet<>();
  private final List<Spot> axisSpots = new ArrayList<>();
  private final List<Spot> storedSpots = new ArrayList<>();
  private final List<Spot> localSpots = new ArrayList<>();
  private final List<Spot> dataSpots = new ArrayList<>();

  public StageBuilder(
      int number,
      StageSource source,
      JobFiles files,
      Predecessors predecessors,
      Findings findings) {
    this.number = number;
    this.source = source;
    this.files = files;
    this.predecessors = predecessors;
    this.findings = findings;
  }

  /** Whether a table or a sweep could not be read, so that its parameters are not known here. */
  public boolean hasUnknownParameters() {
    return !allKnown;
  }

  /**
   * The position of a field of the stage; known after {@link #build}.
   *
   * @param field of a {@link Stage}, without the path of the stage
   */
  public Spot spot(String field) {
    Matcher indexed = INDEXED.matcher(field);
    if (indexed.matches()) {
      int index = Integer.parseInt(indexed.group(2));
      List<Spot> spots =
          switch (indexed.group(1)) {
            case "inputs" -> joined(storedSpots, localSpots);
            case "dataInputs" -> dataSpots;
            case "sweep" -> axisSpots;
            default -> List.of();
          };
      if (index < spots.size()) {
        return spots.get(index);
      }
    }
    for (Field<?> known : JobForm.fieldOf(field)) {
      return known.equals(JobForm.NAME) ? source.own().spot(known) : source.spot(known);
    }
    return source.own().spot();
  }

  private static List<Spot> joined(List<Spot> some, List<Spot> more) {
    List<Spot> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /** Files to send, known after {@link #build}. */
  public List<LocalInput> local() {
    return local;
  }

  public Stage build(String name) {
    List<SweepAxis> sweep = sweep();
    inputs();
    List<After> after =
        new ArrayList<>(predecessors.resolve(name, source.get(JobForm.AFTER, List.of())));
    predecessors.resolve(name, source.get(JobForm.AFTER_ANY, List.of())).stream()
        .map(After::orFailed)
        .forEach(after::add);
    return new Stage(
        name,
        source.get(JobForm.COMMAND, List.of()),
        source.get(JobForm.PAYLOAD, ""),
        sweep,
        env(),
        stored,
        data,
        results(),
        source.get(JobForm.NEEDS, Requirements.ANY),
        rules(),
        after);
  }

  private List<SweepAxis> sweep() {
    List<SweepEntry> sweep = source.get(JobForm.SWEEP);
    if (sweep == null) {
      allKnown = !source.has(JobForm.SWEEP);
      return List.of();
    }
    int before = findings.count();
    Spot spot = source.spot(JobForm.SWEEP);
    SweepExpansion.Expanded expanded = SweepExpansion.expand(sweep, files, findings);
    expanded
        .inputs()
        .forEach(
            (path, file) ->
                addLocal(path, file, false, "", expanded.params().getOrDefault(path, ""), spot));
    axisSpots.addAll(expanded.spots());
    allKnown = findings.count() == before;
    return expanded.axes();
  }

  // ---------------------------------------------------------------- texts

  private List<String> results() {
    List<String> results = source.get(JobForm.RESULTS, JobDefaults.OUTPUTS);
    return results.equals(List.of(NONE)) ? List.of() : results;
  }

  /** Variables of the job apply to all stages; a stage may override them. */
  private Map<String, String> env() {
    Map<String, String> env = new LinkedHashMap<>();
    if (source.isJoined(JobForm.ENV)) {
      env.putAll(source.job().get(JobForm.ENV, Map.of()));
    }
    env.putAll(source.get(JobForm.ENV, Map.of()));
    source
        .get(JobForm.SECRETS, Map.of())
        .forEach((variable, name) -> env.put(variable, SecretReference.to(name)));
    return env;
  }

  // ---------------------------------------------------------------- rules

  private TaskRules rules() {
    return TaskRules.USUAL.with(
        rules -> {
          JobForm.RULES.forEach(rule -> rule.read(source, rules));
          rules.stdin = stdin();
        });
  }

  private String stdin() {
    JobForm.Stdin stdin = source.get(JobForm.STDIN);
    if (stdin == null) {
      return "";
    }
    Spot spot = source.spot(JobForm.STDIN);
    if (stdin.file().isEmpty()) {
      return stdin.text();
    }
    try {
      String text = FileText.decode(files.read(stdin.file()).orElse(new byte[0]));
      if (text.length() > JobLimits.MAX_STDIN_CHARS) {
        findings.error(
            spot,
            "%s is longer than %,d characters.".formatted(stdin.file(), JobLimits.MAX_STDIN_CHARS),
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
        stored.add(file.file());
        storedSpots.add(file.spot());
      }
      case InputEntry.Results results -> addResults(results);
    }
  }

  private void addLocal(InputEntry.Local input) {
    try {
      var found = files.find(input.from());
      if (found.isEmpty()) {
        findings.warning(input.spot(), "The files " + input.from() + " were not checked here.", "");
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
      // A parameter value that is also listed as an input is an input of every task.
      local.replaceAll(known -> known.path().equals(path) && known.os().equals(os) ? input : known);
    } else {
      local.add(input);
      localSpots.add(spot);
    }
  }

  private void addResults(InputEntry.Results results) {
    predecessors
        .resolveOne(results.from())
        .ifPresent(
            after -> {
              for (String glob : results.files()) {
                data.add(new DataInput(after, glob, results.into()));
                dataSpots.add(results.spot());
              }
            });
  }
}
