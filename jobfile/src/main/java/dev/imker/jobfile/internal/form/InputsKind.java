package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Spot;
import dev.imker.jobfile.internal.form.InputEntry.AfterEntry;
import dev.imker.model.BlobId;
import dev.imker.model.job.After;
import dev.imker.model.job.InputFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Inputs and predecessors. */
final class InputsKind {
  private static final Field<String> FROM =
      new Field<>("from", Kinds.text(), "File, folder or pattern, relative to the job file.");
  private static final Field<String> AS =
      new Field<>("as", Kinds.text(), "Name in the task's work folder.");
  private static final Field<Boolean> EXECUTABLE =
      new Field<>(
          "executable",
          Kinds.flag(),
          "Whether the file is executable; by default as on this machine.");
  private static final Field<String> OS =
      new Field<>("os", Kinds.text(), "Only for machines with this operating system.");
  private static final Field<String> PARAM =
      new Field<>(
          "param", Kinds.text(), "Only for tasks for which this parameter is the file's name.");
  private static final Field<String> BLOB =
      new Field<>(
          "blob",
          Kinds.written(
              "SHA-256",
              "64 hexadecimal digits",
              "^[0-9a-f]{64}$",
              s -> BlobId.isValid(s) ? s : null),
          "Content that is already in the pool.");
  private static final Field<Long> SIZE =
      new Field<>("size", Kinds.wholeLong(), "Its size in bytes.");
  private static final Field<String> STAGE =
      new Field<>("stage", Kinds.text(), "A stage of this job.");
  private static final Field<String> TASKS =
      new Field<>("tasks", Kinds.text(), "Tasks of other jobs: 12, 12.3..7, a name.");
  private static final Field<String> DATA =
      new Field<>(
          "data",
          Kinds.text(),
          "Results that another of your jobs publishes under this name: rain, or rain@3"
              + " for a specific version.");
  private static final Field<List<String>> FILES =
      new Field<>("files", Kinds.oneOrMore(Kinds.text()), "Which results; all by default.");
  private static final Field<String> INTO =
      new Field<>(
          "into",
          Kinds.text(),
          "Folder in the work folder; ${task} is the number of the producing task.");
  private static final Field<After.Matching> MATCH =
      new Field<>(
          "match",
          Kinds.choice(matchings()),
          "all: of every task; each: of the task with the same number; params: of tasks with the"
              + " same parameter values.");
  private static final Map<String, Field<String>> SYSTEMS = systems();

  static final Kind<List<InputEntry>> INPUTS =
      Kinds.map(Kinds.oneOrMore(input()), InputsKind::flat);
  static final Kind<List<AfterEntry>> AFTER = Kinds.oneOrMore(after());

  private InputsKind() {}

  private static Map<String, After.Matching> matchings() {
    Map<String, After.Matching> all = new LinkedHashMap<>();
    all.put("all", After.Matching.ALL);
    all.put("each", After.Matching.EACH);
    all.put("params", After.Matching.PARAMS);
    return all;
  }

  private static Map<String, Field<String>> systems() {
    Map<String, Field<String>> all = new LinkedHashMap<>();
    for (String os : List.of("linux", "windows", "macos")) {
      all.put(os, new Field<>(os, Kinds.text(), "The variant for " + os + "."));
    }
    return all;
  }

  private static List<InputEntry> flat(List<List<InputEntry>> lists) {
    List<InputEntry> all = new ArrayList<>();
    lists.forEach(all::addAll);
    return all;
  }

  // ---------------------------------------------------------------- inputs

  private static Kind<List<InputEntry>> input() {
    Kind<List<InputEntry>> name =
        Kinds.of(
            (tree, spot, findings) -> {
              String text = Kinds.text().read(tree, spot.field(), findings);
              return text == null ? null : List.of(new InputEntry.Local(text, "", false, "", spot));
            },
            Kinds.text().schema());
    Map<String, Kind<? extends List<InputEntry>>> forms = new LinkedHashMap<>();
    forms.put(
        "from",
        Kinds.map(new Form(List.of(FROM, AS, EXECUTABLE, OS), Set.of("from")), InputsKind::local));
    forms.put(
        "stage",
        Kinds.map(
            new Form(List.of(STAGE, FILES, INTO, MATCH), Set.of("stage")), InputsKind::results));
    forms.put(
        "tasks",
        Kinds.map(new Form(List.of(TASKS, FILES, INTO), Set.of("tasks")), InputsKind::results));
    forms.put(
        "data",
        Kinds.map(new Form(List.of(DATA, FILES, INTO), Set.of("data")), InputsKind::results));
    forms.put("blob", Kinds.of(InputsKind::stored, storedForm().schema()));
    List<Field<?>> variants = new ArrayList<>(SYSTEMS.values());
    variants.add(AS);
    variants.add(EXECUTABLE);
    for (String os : SYSTEMS.keySet()) {
      forms.put(os, Kinds.map(new Form(variants, Set.of()), InputsKind::variants));
    }
    return Kinds.textOr(name, Kinds.<List<InputEntry>>byField(forms));
  }

  private static Form storedForm() {
    return new Form(List.of(BLOB, SIZE, AS, EXECUTABLE, OS, PARAM), Set.of("blob", "size", "as"));
  }

  private static List<InputEntry> local(Filled filled) {
    String from = filled.get(FROM);
    return from == null
        ? List.of()
        : List.of(
            new InputEntry.Local(
                from,
                filled.get(AS, ""),
                filled.get(EXECUTABLE, false),
                filled.get(OS, ""),
                filled.spot()));
  }

  private static List<InputEntry> variants(Filled filled) {
    List<InputEntry> all = new ArrayList<>();
    SYSTEMS.forEach(
        (os, field) -> {
          String from = filled.get(field);
          if (from != null) {
            all.add(
                new InputEntry.Local(
                    from,
                    filled.get(AS, ""),
                    filled.get(EXECUTABLE, false),
                    os,
                    filled.spot(field)));
          }
        });
    return all;
  }

  private static @Nullable List<InputEntry> stored(Tree tree, Spot spot, Findings findings) {
    Filled filled = storedForm().read(tree, spot.field(), findings);
    if (filled == null) {
      return null;
    }
    String blob = filled.get(BLOB);
    Long size = filled.get(SIZE);
    String as = filled.get(AS);
    if (blob == null || size == null || as == null) {
      return null;
    }
    return List.of(
        new InputEntry.Stored(
            new InputFile(
                as,
                new BlobId(blob),
                size,
                filled.get(EXECUTABLE, false),
                filled.get(OS, ""),
                filled.get(PARAM, "")),
            spot));
  }

  private static List<InputEntry> results(Filled filled) {
    AfterEntry from =
        new AfterEntry(
            "",
            filled.get(STAGE, ""),
            filled.get(TASKS, ""),
            filled.get(DATA, ""),
            filled.get(MATCH, After.Matching.ALL),
            filled.spot());
    return List.of(
        new InputEntry.Results(
            from, filled.get(FILES, List.of("*")), filled.get(INTO, ""), filled.spot()));
  }

  // ---------------------------------------------------------------- predecessors

  private static Kind<AfterEntry> after() {
    Kind<AfterEntry> name =
        Kinds.of(
            (tree, spot, findings) -> {
              String text = Kinds.text().read(tree, spot.field(), findings);
              return text == null
                  ? null
                  : new AfterEntry(text, "", "", "", After.Matching.ALL, spot);
            },
            Kinds.text().schema());
    Map<String, Kind<? extends AfterEntry>> forms = new LinkedHashMap<>();
    forms.put(
        "stage",
        Kinds.map(new Form(List.of(STAGE, MATCH), Set.of("stage")), InputsKind::predecessor));
    forms.put(
        "tasks", Kinds.map(new Form(List.of(TASKS), Set.of("tasks")), InputsKind::predecessor));
    forms.put("data", Kinds.map(new Form(List.of(DATA), Set.of("data")), InputsKind::predecessor));
    return Kinds.textOr(name, Kinds.<AfterEntry>byField(forms));
  }

  private static AfterEntry predecessor(Filled filled) {
    return new AfterEntry(
        "",
        filled.get(STAGE, ""),
        filled.get(TASKS, ""),
        filled.get(DATA, ""),
        filled.get(MATCH, After.Matching.ALL),
        filled.spot());
  }
}
