package dev.imker.jobfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Puts values from the command line in the place of those of the file. */
final class Overrides {
  private static final String SWEEP = "sweep";

  private Overrides() {}

  static Tree apply(Tree document, Map<String, String> settings) {
    Tree result = document;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      if (result instanceof Tree.Entries job) {
        result = apply(job, setting.getKey(), setting.getValue());
      }
    }
    return result;
  }

  private static Tree apply(Tree.Entries job, String key, String value) {
    Tree.Text text = new Tree.Text(value, true, job.place());
    int dot = key.indexOf('.');
    if (dot > 0) {
      String outer = key.substring(0, dot);
      String inner = key.substring(dot + 1);
      return outer.equals(SWEEP) ? parameter(job, inner, text) : nested(job, outer, inner, text);
    }
    return JobForm.JOB.names().contains(key) ? with(job, key, text) : parameter(job, key, text);
  }

  /** A parameter is replaced in every sweep that has it; if none has, the job gets it. */
  private static Tree parameter(Tree.Entries job, String name, Tree.Text value) {
    List<Tree.Entry> entries = new ArrayList<>();
    boolean[] replaced = {false};
    for (Tree.Entry entry : job.entries()) {
      Tree changed = entry.value();
      if (entry.name().equals(SWEEP)) {
        changed = replace(entry.value(), name, value, replaced);
      } else if (isStages(entry) && entry.value() instanceof Tree.Items stages) {
        changed =
            new Tree.Items(
                stages.items().stream()
                    .map(stage -> inStage(stage, name, value, replaced))
                    .toList(),
                stages.place());
      }
      entries.add(new Tree.Entry(entry.key(), changed));
    }
    Tree.Entries result = new Tree.Entries(entries, job.place());
    return replaced[0] ? result : nested(result, SWEEP, name, value);
  }

  private static boolean isStages(Tree.Entry entry) {
    return entry.name().equals("stages") || entry.name().equals("tasks");
  }

  private static Tree inStage(Tree stage, String name, Tree.Text value, boolean[] replaced) {
    if (!(stage instanceof Tree.Entries entries)) {
      return stage;
    }
    Tree sweep = entries.get(SWEEP);
    if (sweep == null) {
      return stage;
    }
    return with(entries, SWEEP, replace(sweep, name, value, replaced));
  }

  private static Tree replace(Tree sweep, String name, Tree.Text value, boolean[] replaced) {
    if (sweep instanceof Tree.Entries entries && entries.has(name)) {
      replaced[0] = true;
      return with(entries, name, value);
    }
    return sweep;
  }

  private static Tree nested(Tree.Entries job, String outer, String inner, Tree.Text value) {
    Tree present = job.get(outer);
    Tree.Entries entries =
        present instanceof Tree.Entries given ? given : new Tree.Entries(List.of(), job.place());
    return with(job, outer, with(entries, inner, value));
  }

  private static Tree.Entries with(Tree.Entries mapping, String name, Tree value) {
    List<Tree.Entry> entries = new ArrayList<>();
    boolean there = false;
    for (Tree.Entry entry : mapping.entries()) {
      boolean same = entry.name().equals(name);
      there |= same;
      entries.add(same ? new Tree.Entry(entry.key(), value) : entry);
    }
    if (!there) {
      entries.add(new Tree.Entry(new Tree.Text(name, true, mapping.place()), value));
    }
    return new Tree.Entries(entries, mapping.place());
  }
}
