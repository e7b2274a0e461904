package dev.imker.jobfile;

import dev.imker.jobfile.draft.JobDialect;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.JobOrigin;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.Filled;
import dev.imker.jobfile.internal.form.Form;
import dev.imker.jobfile.internal.form.JobForm;
import dev.imker.jobfile.internal.form.Overrides;
import dev.imker.jobfile.internal.form.Tree;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.model.text.NearNames;
import dev.imker.model.validation.JobDefaults;
import dev.imker.model.validation.JobNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Reads files of dialects, with the fields that all jobs have. */
final class DialectReader {
  private static final List<JobDialect> KNOWN =
      ServiceLoader.load(JobDialect.class).stream().map(ServiceLoader.Provider::get).toList();
  private static final Form COMMON =
      new Form(
          List.of(
              JobForm.IMKER,
              JobForm.PROJECT,
              JobForm.PRIORITY,
              JobForm.ON_FAILURE,
              JobForm.NOTIFY,
              JobForm.ENV),
          java.util.Set.of());

  private final JobDialect dialect;
  private final JobFiles files;
  private final Findings findings;

  private DialectReader(JobDialect dialect, JobFiles files, Findings findings) {
    this.dialect = dialect;
    this.files = files;
    this.findings = findings;
  }

  /** A reader if one of the documents is, or was meant to be, of a dialect. */
  static Optional<DialectReader> of(List<Tree> documents, JobFiles files, Findings findings) {
    for (Tree document : documents) {
      String meant = meant(kind(document));
      for (JobDialect dialect : KNOWN) {
        if (dialect.kinds().contains(meant)) {
          return Optional.of(new DialectReader(dialect, files, findings));
        }
      }
    }
    return Optional.empty();
  }

  /** A misspelt kind of a dialect is best reported by the dialect, which knows the other fields. */
  private static String meant(String kind) {
    List<String> all = new ArrayList<>(JobForm.kinds().keySet());
    KNOWN.forEach(dialect -> all.addAll(dialect.kinds()));
    return kind.isEmpty() || all.contains(kind) ? kind : NearNames.nearest(kind, all).orElse(kind);
  }

  private static String kind(Tree document) {
    return document instanceof Tree.Entries entries && entries.get("kind") instanceof Tree.Text text
        ? text.value().replace('_', '-')
        : "";
  }

  @Nullable JobDraft read(List<Tree> documents, String text, Map<String, String> settings) {
    if (documents.size() != 1 || !(documents.getFirst() instanceof Tree.Entries document)) {
      findings.error(
          new Spot(documents.getFirst().place(), ""),
          "A file with kind: "
              + String.join(" or ", dialect.kinds())
              + " can have only one document.",
          "Put the others into files of their own.");
      return null;
    }
    Filled common = common(document, settings);
    JobDialect.Draft draft = dialect.read(findings.file(), text, files);
    draft.findings().forEach(findings::add);
    if (findings.hasErrors() || common == null || draft.stages().isEmpty()) {
      return null;
    }
    JobSpec spec =
        new JobSpec(
            JobSpec.CURRENT_VERSION,
            JobNames.from(draft.name()),
            common.get(JobForm.PROJECT, JobDefaults.PROJECT),
            JobKind.COMMAND,
            common.get(JobForm.PRIORITY, JobSpec.DEFAULT_PRIORITY),
            withEnv(draft.stages(), common.get(JobForm.ENV, Map.of())),
            common.get(JobForm.ON_FAILURE, OnFailure.CARRY_ON),
            common.get(JobForm.NOTIFY, Notices.NOBODY));
    Spot start = new Spot(document.place(), "");
    JobOrigin origin = new JobOrigin(findings.file(), field -> start);
    JobDraft job = new JobDraft(spec, draft.files(), origin);
    JobOrigin.check(job, stage -> false, findings);
    return job;
  }

  /** The dialect's own variables take precedence. */
  private static List<Stage> withEnv(List<Stage> stages, Map<String, String> env) {
    List<Stage> all = new ArrayList<>();
    for (Stage stage : stages) {
      Map<String, String> joined = new LinkedHashMap<>(env);
      joined.putAll(stage.env());
      all.add(stage.withEnv(joined));
    }
    return all;
  }

  private @Nullable Filled common(Tree.Entries document, Map<String, String> settings) {
    for (String name : settings.keySet()) {
      if (!JobDialect.COMMON_FIELDS.contains(name)) {
        findings.error(
            new Spot(document.place(), name),
            "'" + name + "' can only be set inside this kind of file.",
            "Change it in the file; project and priority can be set.");
      }
    }
    Tree.Entries some =
        new Tree.Entries(
            document.entries().stream()
                .filter(entry -> JobDialect.COMMON_FIELDS.contains(entry.name()))
                .toList(),
            document.place());
    Map<String, String> known = new LinkedHashMap<>(settings);
    known.keySet().retainAll(JobDialect.COMMON_FIELDS);
    return COMMON.read(Overrides.apply(some, known, findings), "", findings);
  }
}
