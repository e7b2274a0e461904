package dev.imker.jobfile.tsv;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.JobOrigin;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.files.Globs;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.PlatformExpression;
import dev.imker.model.InputException;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskIdentifier;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The job formed by the lines of one jobType. */
final class TsvJob {
  private static final Pattern IN_STAGE = Pattern.compile("stages\\[(\\d{1,9})]\\.(\\w+).*");

  /** The columns from which the fields of a stage are taken. */
  private static final Map<String, String> COLUMNS =
      Map.of(
          "command", "command",
          "inputs", "files",
          "dataInputs", "files",
          "outputs", "resultFiles",
          "rules", "resultFiles",
          "needs", "platform",
          "after", "preUserIdentifiers");

  private final String type;
  private final List<TsvLine> lines;
  private final Map<String, TsvLine> byIdentifier;
  private final Set<TsvLine> awaited;
  private final JobFiles files;
  private final Findings findings;
  private final Map<TsvLine, String> stageNames = new LinkedHashMap<>();
  private final Map<TsvLine, Integer> numbers = new HashMap<>();
  private final List<List<TsvLine>> stages = new ArrayList<>();
  private final List<LocalInput> inputs = new ArrayList<>();
  private final Set<TsvJob> before = new LinkedHashSet<>();
  private List<TsvJob> all = List.of();

  /**
   * @param lines those of this jobType
   * @param byIdentifier those of all jobTypes
   * @param awaited those of all jobTypes on which others depend
   */
  TsvJob(
      String type,
      List<TsvLine> lines,
      Map<String, TsvLine> byIdentifier,
      Set<TsvLine> awaited,
      JobFiles files,
      Findings findings) {
    this.type = type;
    this.lines = lines;
    this.byIdentifier = byIdentifier;
    this.awaited = awaited;
    this.files = files;
    this.findings = findings;
  }

  /** Assigns the lines to stages; called before any job is built. */
  void plan() {
    stages.addAll(groups().values());
    for (List<TsvLine> group : stages) {
      String name = stages.size() == 1 ? "" : name(group.getFirst());
      for (TsvLine line : group) {
        stageNames.put(line, name);
        numbers.put(line, numbers.size() + 1);
      }
    }
  }

  String type() {
    return type;
  }

  /** Other jobs on which tasks of this one depend; known after {@link #build}. */
  Set<TsvJob> before() {
    return before;
  }

  @Nullable JobDraft build(List<TsvJob> allJobs) {
    all = allJobs;
    String project = project();
    List<Stage> built = new ArrayList<>();
    for (List<TsvLine> group : stages) {
      built.add(stage(group, built.size()));
    }
    List<String> mails = mails();
    JobSpec spec =
        new JobSpec(
            JobSpec.CURRENT_VERSION,
            project,
            project,
            JobKind.COMMAND,
            JobSpec.DEFAULT_PRIORITY,
            built,
            OnFailure.CARRY_ON,
            new Notices(mails, List.of()));
    JobDraft draft = new JobDraft(spec, inputs, new JobOrigin(findings.file(), this::spot));
    JobOrigin.check(draft, stage -> false, findings);
    return draft;
  }

  private Spot spot(String field) {
    Matcher inStage = IN_STAGE.matcher(field);
    if (!inStage.matches() || Integer.parseInt(inStage.group(1)) >= stages.size()) {
      return lines.getFirst().spot(field.startsWith("notices") ? "mailnotification" : "jobType");
    }
    TsvLine line = stages.get(Integer.parseInt(inStage.group(1))).getFirst();
    return line.spot(COLUMNS.getOrDefault(inStage.group(2), "jobType"));
  }

  /** The jobType is user_project; the token identifies the user. */
  private String project() {
    String project = projectName();
    if (!JobNames.isValid(project)) {
      findings.error(
          lines.getFirst().spot("jobType"),
          "'" + type + "' is not a jobType.",
          "Write user_project; a project has letters, digits, - and _.");
    }
    return project;
  }

  private String projectName() {
    int underscore = type.indexOf('_');
    return underscore < 0 ? type : type.substring(underscore + 1);
  }

  /** Lines that differ only in their command; those on which others depend stay separate. */
  private Map<String, List<TsvLine>> groups() {
    Map<String, List<TsvLine>> groups = new LinkedHashMap<>();
    for (TsvLine line : lines) {
      boolean alone = awaited.contains(line) || line.isYes("maintainoutput");
      String key = alone ? "line " + line.line() : line.likeness();
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(line);
    }
    return groups;
  }

  private static String name(TsvLine line) {
    String own = line.isUnused("userIdentifier") ? "" : line.get("userIdentifier");
    return JobNames.isValid(own) ? own : "line-" + line.line();
  }

  private Stage stage(List<TsvLine> group, int number) {
    TsvLine first = group.getFirst();
    List<SweepAxis> sweep = new ArrayList<>();
    String command = first.get("command").replace("${", "$${");
    group.forEach(this::checkCommand);
    if (group.size() > 1) {
      sweep.add(axis("command", group));
      command = "${command}";
    }
    if (!first.isUnused(TaskIdentifier.PARAM)) {
      sweep.add(axis(TaskIdentifier.PARAM, group));
    }
    List<DataInput> data = new ArrayList<>();
    first.list("files").forEach(file -> addFile(file, first, number, data));
    boolean upload = first.isYes("periodicUpload");
    List<String> results = results(first);
    return new Stage(
        stageNames.getOrDefault(first, ""),
        List.of(command),
        "",
        sweep,
        Map.of(),
        List.of(),
        data,
        results,
        needs(first),
        TaskRules.USUAL.with(
            rules -> {
              rules.checkpoints = upload ? results : List.of();
              rules.speculative = TaskRules.defaultSpeculative(rules.checkpoints);
              rules.checkpointMillis = TaskRules.defaultCheckpointMillis(rules.checkpoints);
            }),
        after(first));
  }

  /** One value per line; all parameters vary together. */
  private static SweepAxis axis(String field, List<TsvLine> group) {
    return SweepAxis.of(field, group.stream().map(line -> line.get(field)).toList())
        .zippedAs("line");
  }

  private void checkCommand(TsvLine line) {
    if (line.isUnused("command")) {
      findings.error(line.spot("command"), "There is nothing to run.", "");
    }
  }

  private static List<String> results(TsvLine line) {
    return line.list("resultFiles").stream().map(result -> result.replace("${", "$${")).toList();
  }

  private Requirements needs(TsvLine line) {
    if (line.isUnused("platform")) {
      return Requirements.ANY;
    }
    try {
      return PlatformExpression.parse(line.get("platform"));
    } catch (InputException e) {
      findings.error(line.spot("platform"), String.valueOf(e.getMessage()), "");
      return Requirements.ANY;
    }
  }

  private List<String> mails() {
    Set<String> all = new LinkedHashSet<>();
    for (TsvLine line : lines) {
      for (String mail : line.list("mailnotification")) {
        if (mail.contains("@")) {
          all.add(mail);
        } else {
          findings.error(
              line.spot("mailnotification"),
              "'" + mail + "' is not a mail address.",
              "Write NO for none.");
        }
      }
    }
    return List.copyOf(all);
  }

  // ---------------------------------------------------------------- predecessors

  private List<After> after(TsvLine line) {
    List<After> found = new ArrayList<>();
    for (String identifier : line.list("preUserIdentifiers")) {
      TsvLine other = byIdentifier.get(identifier);
      Spot spot = line.spot("preUserIdentifiers");
      if (other != null) {
        found.add(after(other, spot));
      } else if (!identifier.contains(",")) {
        found.add(After.tasks(TaskIdentifier.MARK + identifier));
        findings.warning(
            spot,
            "No line has the identifier '" + identifier + "'; it is looked up in the pool.",
            Hints.suggest(identifier, byIdentifier.keySet().stream().sorted().toList()));
      } else {
        findings.error(
            spot,
            "No line has the identifier '" + identifier + "'.",
            "Tasks of earlier files cannot be named with a comma.");
      }
    }
    return found.stream().distinct().toList();
  }

  /** Predecessors in files that were submitted earlier, as a selector; empty if there are none. */
  private String earlier(TsvLine line) {
    return line.list("preUserIdentifiers").stream()
        .filter(identifier -> !byIdentifier.containsKey(identifier) && !identifier.contains(","))
        .map(identifier -> TaskIdentifier.MARK + identifier)
        .collect(Collectors.joining(","));
  }

  /**
   * Refers to a line of this job by its stage, and to one of another jobType by its number in that
   * job.
   */
  private After after(TsvLine line, Spot spot) {
    String stage = stageNames.get(line);
    if (stage != null) {
      return After.stage(stage, After.Matching.ALL);
    }
    TsvJob owner =
        all.stream().filter(job -> job.numbers.containsKey(line)).findFirst().orElseThrow();
    String name = owner.projectName();
    boolean twice = all.stream().filter(job -> job.projectName().equals(name)).count() > 1;
    if (twice || !name.matches(".*[A-Za-z_-].*") || name.equals("last")) {
      findings.error(
          spot,
          "Tasks of %s cannot be referred to from %s: '%s' could also mean something else."
              .formatted(owner.type, type, name),
          "Rename the project.");
    }
    before.add(owner);
    return After.tasks(name + "." + owner.numbers.get(line));
  }

  // ---------------------------------------------------------------- files

  /**
   * A file on disk, or the result of a line that keeps its results for others. {@code W:name} is
   * the variant for one system, which is first searched in the folder W or windows.
   */
  private void addFile(String text, TsvLine line, int stage, List<DataInput> data) {
    boolean variant =
        text.length() > 2
            && text.charAt(1) == ':'
            && !PlatformExpression.system(text.charAt(0)).isEmpty();
    String os = variant ? PlatformExpression.system(text.charAt(0)) : "";
    String name = variant ? text.substring(2) : text;
    Spot spot = line.spot("files");
    try {
      List<JobFiles.Found> found = variant ? variant(text.charAt(0), os, name) : find(name);
      if (found == null) {
        findings.warning(spot, "The files " + name + " were not checked here.", "");
        return;
      }
      for (JobFiles.Found file : found) {
        String path = variant && file.rest().isEmpty() ? name : file.name("");
        inputs.add(
            new LocalInput(stage, file.source(), path, file.size(), file.executable(), os, ""));
      }
      if (found.isEmpty() && !isResultOfOther(name, line, data)) {
        findings.error(
            spot,
            "There is no file '%s', and no line with maintainoutput creates it.".formatted(name),
            "Names are relative to the file of the tasks.");
      }
    } catch (IOException e) {
      findings.error(spot, "'%s' cannot be read: %s.".formatted(name, e.getMessage()), "");
    }
  }

  private @Nullable List<JobFiles.Found> find(String name) throws IOException {
    return files.find(name).orElse(null);
  }

  private @Nullable List<JobFiles.Found> variant(char letter, String os, String name)
      throws IOException {
    for (String folder : List.of(letter + "/", os + "/", "")) {
      List<JobFiles.Found> found = find(folder + name);
      if (found == null || !found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private boolean isResultOfOther(String name, TsvLine line, List<DataInput> data) {
    boolean made = false;
    for (TsvJob job : all) {
      for (TsvLine other : job.lines) {
        if (!other.equals(line) && other.isYes("maintainoutput") && makes(other, name)) {
          data.add(new DataInput(after(other, line.spot("files")), name, ""));
          made = true;
        }
      }
    }
    String earlier = earlier(line);
    if (!made && !earlier.isEmpty()) {
      data.add(new DataInput(After.tasks(earlier), name, ""));
      return true;
    }
    return made;
  }

  private static boolean makes(TsvLine line, String name) {
    return line.list("resultFiles").stream()
        .anyMatch(
            result ->
                result.equals(name)
                    || result.equals("*")
                    || (Globs.isPattern(result)
                        && Globs.problem(result) == null
                        && Globs.matcher(result).test(name)));
  }
}
