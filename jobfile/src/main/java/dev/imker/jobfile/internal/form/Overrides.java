package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Spot;
import dev.imker.model.text.NearNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Replaces values of the file by values from the command line. */
public final class Overrides {
  private static final String SWEEP = "sweep";

  private Overrides() {}

  public static Tree apply(Tree document, Map<String, String> settings, Findings findings) {
    Tree result = document;
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      if (result instanceof Tree.Entries job) {
        result = apply(job, setting.getKey(), setting.getValue(), findings);
      }
    }
    return result;
  }

  private static Tree apply(Tree.Entries job, String key, String value, Findings findings) {
    Tree.Text text = new Tree.Text(value, true, job.place());
    int dot = key.indexOf('.');
    if (dot > 0) {
      String outer = key.substring(0, dot);
      String inner = key.substring(dot + 1);
      return outer.equals(SWEEP) ? parameter(job, inner, text) : nested(job, outer, inner, text);
    }
    if (JobForm.JOB.names().contains(key)) {
      return with(job, key, text);
    }
    return isKnown(job, key, findings) ? parameter(job, key, text) : job;
  }

  /** An unused parameter is a typing error. */
  private static boolean isKnown(Tree.Entries job, String name, Findings findings) {
    Set<String> parameters = new TreeSet<>();
    parameters(job, parameters);
    if (parameters.contains(name) || uses(job, "${" + name + "}")) {
      return true;
    }
    List<String> known = new ArrayList<>(parameters);
    known.addAll(JobForm.JOB.names());
    String near = NearNames.nearest(name, known).map(n -> "Did you mean '" + n + "'? ").orElse("");
    findings.error(
        new Spot(job.place(), name),
        "'" + name + "' cannot be set: the job has no such parameter or field.",
        near + "To add a parameter, write sweep." + name + "=VALUES.");
    return false;
  }

  private static void parameters(Tree.Entries mapping, Set<String> names) {
    for (Tree.Entry entry : mapping.entries()) {
      if (entry.name().equals(SWEEP) && entry.value() instanceof Tree.Entries sweep) {
        sweep.entries().forEach(axis -> names.add(axis.name()));
      } else if (isStages(entry) && entry.value() instanceof Tree.Items stages) {
        for (Tree stage : stages.items()) {
          if (stage instanceof Tree.Entries entries) {
            parameters(entries, names);
          }
        }
      }
    }
  }

  private static boolean uses(Tree tree, String placeholder) {
    return switch (tree) {
      case Tree.Text text -> text.value().contains(placeholder);
      case Tree.Items items -> items.items().stream().anyMatch(item -> uses(item, placeholder));
      case Tree.Entries entries ->
          entries.entries().stream().anyMatch(entry -> uses(entry.value(), placeholder));
      default -> false;
    };
  }

  /** A parameter is replaced in every sweep that has it; otherwise it is added to the job. */
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
