package dev.imker.jobfile;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.JobOrigin;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.FileText;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.Field;
import dev.imker.jobfile.internal.form.Filled;
import dev.imker.jobfile.internal.form.JobForm;
import dev.imker.jobfile.internal.form.Overrides;
import dev.imker.jobfile.internal.form.StageSource;
import dev.imker.jobfile.internal.form.Tree;
import dev.imker.jobfile.internal.form.TreeReader;
import dev.imker.jobfile.internal.stage.Predecessors;
import dev.imker.jobfile.internal.stage.StageBuilder;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.validation.JobDefaults;
import dev.imker.model.validation.JobLimits;
import dev.imker.model.validation.JobNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads job files. All mistakes are found in one pass and reported with line, column, field and
 * remedy.
 */
public final class JobFileReader {
  private static final int MAX_JOBS = 1000;
  private static final Pattern IN_STAGE = Pattern.compile("stages\\[(\\d{1,9})]\\.?(.*)");

  private final JobFiles files;
  private final Findings findings;

  private JobFileReader(JobFiles files, Findings findings) {
    this.files = files;
    this.findings = findings;
  }

  /** Reads the jobs of a file: one per document. */
  public static Reading read(String fileName, byte[] content, JobFiles files) {
    return read(fileName, content, files, Map.of());
  }

  public static Reading read(String fileName, String text, JobFiles files) {
    return read(fileName, text.getBytes(StandardCharsets.UTF_8), files);
  }

  /**
   * @param settings values that replace those of the file: a field of the job ({@code priority}), a
   *     parameter ({@code seed}), or a path {@code sweep.seed}, {@code env.HOME}
   */
  public static Reading read(
      String fileName, byte[] content, JobFiles files, Map<String, String> settings) {
    Findings findings = new Findings(fileName);
    String text = FileText.decode(content, findings);
    List<JobDraft> jobs =
        text == null ? List.of() : new JobFileReader(files, findings).jobs(text, settings);
    return new Reading(findings.hasErrors() ? List.of() : jobs, findings.inOrder());
  }

  private List<JobDraft> jobs(String text, Map<String, String> settings) {
    List<Tree> documents = TreeReader.read(text, findings);
    if (documents.isEmpty() && !findings.hasErrors()) {
      findings.error(
          new Spot(Place.START, ""), "There is no job in this file.", "Write command: echo hello.");
    }
    if (documents.size() > MAX_JOBS) {
      findings.error(
          new Spot(Place.START, ""), "There are more than %,d jobs.".formatted(MAX_JOBS), "");
      return List.of();
    }
    Optional<DialectReader> dialect = DialectReader.of(documents, files, findings);
    if (dialect.isPresent()) {
      JobDraft draft = dialect.get().read(documents, text, settings);
      return draft == null ? List.of() : List.of(draft);
    }
    List<JobDraft> jobs = new ArrayList<>();
    for (Tree document : documents) {
      Filled job = JobForm.JOB.read(Overrides.apply(document, settings, findings), "", findings);
      JobDraft draft = job == null ? null : job(job, documents.size() == 1);
      if (draft != null) {
        jobs.add(draft);
      }
    }
    return jobs;
  }

  /** Reads one job from a parsed file. */
  static @Nullable JobDraft job(Tree document, JobFiles files, Findings findings) {
    Filled job = JobForm.JOB.read(document, "", findings);
    return job == null ? null : new JobFileReader(files, findings).job(job, true);
  }

  private @Nullable JobDraft job(Filled job, boolean only) {
    List<StageSource> sources = sources(job);
    if (sources.isEmpty()) {
      return null;
    }
    List<String> names = names(sources);
    Predecessors predecessors = new Predecessors(names, findings);
    List<StageBuilder> builders = new ArrayList<>();
    List<Stage> stages = new ArrayList<>();
    List<LocalInput> inputs = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      StageBuilder builder = new StageBuilder(i, sources.get(i), files, predecessors, findings);
      builders.add(builder);
      stages.add(builder.build(names.get(i)));
      inputs.addAll(builder.local());
    }
    JobSpec spec =
        new JobSpec(
            JobSpec.CURRENT_VERSION,
            job.get(JobForm.NAME, only ? nameOfFile() : ""),
            job.get(JobForm.PROJECT, JobDefaults.PROJECT),
            job.get(JobForm.KIND, JobKind.COMMAND),
            job.get(JobForm.PRIORITY, JobSpec.DEFAULT_PRIORITY),
            stages,
            job.get(JobForm.ON_FAILURE, OnFailure.CARRY_ON),
            job.get(JobForm.NOTIFY, Notices.NOBODY));
    JobOrigin origin = new JobOrigin(findings.file(), field -> spot(field, job, builders));
    JobDraft draft = new JobDraft(spec, inputs, origin);
    JobOrigin.check(draft, stage -> builders.get(stage).hasUnknownParameters(), findings);
    return draft;
  }

  private static Spot spot(String field, Filled job, List<StageBuilder> builders) {
    Matcher inStage = IN_STAGE.matcher(field);
    if (inStage.matches()) {
      int number = Integer.parseInt(inStage.group(1));
      return number < builders.size()
          ? builders.get(number).spot(inStage.group(2))
          : job.spot(JobForm.STAGES);
    }
    for (Field<?> known : JobForm.fieldOf(field)) {
      return job.has(known) ? job.spot(known) : job.spot();
    }
    return job.spot();
  }

  private String nameOfFile() {
    String file = findings.file().replaceAll(".*[/\\\\]", "");
    return file.startsWith("<") ? "" : JobNames.from(file.replaceAll("\\.[A-Za-z]+$", ""));
  }

  // ---------------------------------------------------------------- stages

  private List<StageSource> sources(Filled job) {
    if (job.has(JobForm.STAGES) && job.has(JobForm.TASKS)) {
      findings.error(
          job.spot(JobForm.TASKS), "'tasks' is another name for 'stages'.", "Keep one of them.");
    }
    Field<List<Filled>> field = job.has(JobForm.STAGES) ? JobForm.STAGES : JobForm.TASKS;
    if (!job.has(field)) {
      return List.of(StageSource.only(job));
    }
    List<Filled> stages = job.get(field, List.of());
    if (job.get(field) != null && (stages.isEmpty() || stages.size() > JobLimits.MAX_STAGES)) {
      findings.error(
          job.spot(field),
          "There are %,d stages; 1 to %,d are allowed."
              .formatted(stages.size(), JobLimits.MAX_STAGES),
          "");
    }
    return stages.stream().map(stage -> new StageSource(job, stage)).toList();
  }

  private static List<String> names(List<StageSource> sources) {
    List<String> names = new ArrayList<>();
    for (StageSource source : sources) {
      boolean single = source.own() == source.job();
      String name = single ? "" : source.own().get(JobForm.NAME, "");
      names.add(name);
    }
    return names;
  }
}
