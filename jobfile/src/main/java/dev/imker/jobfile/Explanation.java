package dev.imker.jobfile;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.internal.form.NeedsKind;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Placeholders;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.job.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What would be created from a job file.
 *
 * @param uploadBytes size of all files to send, each counted once
 */
public record Explanation(
    String name,
    String project,
    String kind,
    int priority,
    long tasks,
    List<StagePlan> stages,
    List<FilePlan> files,
    long uploadBytes) {
  /**
   * A stage.
   *
   * @param first command of the first task with its parameters
   * @param last command of the last task
   * @param needs as text; empty if any machine is suitable
   */
  public record StagePlan(
      String name,
      long tasks,
      List<String> params,
      List<String> first,
      List<String> last,
      List<String> after,
      String needs,
      List<String> results) {}

  public record FilePlan(String stage, String path, long size, String os) {}

  public static Explanation of(JobDraft draft) {
    JobSpec spec = draft.spec();
    List<FilePlan> files = new ArrayList<>();
    TreeMap<String, Long> sizes = new TreeMap<>();
    for (LocalInput file : draft.files()) {
      files.add(
          new FilePlan(
              spec.stages().get(file.stage()).name(), file.path(), file.size(), file.os()));
      sizes.put(file.source(), file.size());
    }
    return new Explanation(
        spec.name(),
        spec.project(),
        spec.kind().name(),
        spec.priority(),
        spec.taskCount(),
        spec.stages().stream().map(stage -> plan(spec, stage)).toList(),
        files,
        sizes.values().stream().mapToLong(Long::longValue).sum());
  }

  private static StagePlan plan(JobSpec spec, Stage stage) {
    int first = spec.firstOf(spec.stages().indexOf(stage));
    int tasks = (int) stage.taskCount();
    return new StagePlan(
        stage.name(),
        tasks,
        stage.paramNames(),
        command(stage, 0, first + 1),
        command(stage, tasks - 1, first + tasks),
        after(stage),
        inWords(stage.needs()),
        stage.outputs());
  }

  private static List<String> command(Stage stage, int index, int number) {
    List<String> params = stage.params(index);
    List<String> names = stage.paramNames();
    return stage.command().stream()
        .map(word -> Placeholders.expand(word, name -> value(name, names, params, number)))
        .toList();
  }

  private static String value(String name, List<String> names, List<String> params, int number) {
    if (name.equals("task")) {
      return Integer.toString(number);
    }
    int at = names.indexOf(name);
    return at < 0 ? "${" + name + "}" : params.get(at);
  }

  private static List<String> after(Stage stage) {
    TreeSet<String> all = new TreeSet<>();
    stage.after().forEach(after -> all.add(inWords(after) + (after.any() ? " (any end)" : "")));
    stage.dataInputs().stream().map(DataInput::from).forEach(after -> all.add(inWords(after)));
    return List.copyOf(all);
  }

  private static String inWords(After after) {
    if (!after.data().isEmpty()) {
      return "data " + after.data();
    }
    if (after.stage().isEmpty()) {
      return "tasks " + after.tasks();
    }
    return switch (after.matching()) {
      case ALL -> after.stage();
      case EACH -> after.stage() + " (each)";
      case PARAMS -> after.stage() + " (same parameters)";
    };
  }

  static String inWords(Requirements needs) {
    return String.join("; or ", needs.alternatives().stream().map(Explanation::inWords).toList());
  }

  private static String inWords(Need need) {
    List<String> parts = new ArrayList<>();
    NeedsKind.written(need).forEach((field, value) -> parts.addAll(inWords(field, value)));
    return parts.isEmpty() ? "any machine" : String.join(", ", parts);
  }

  private static List<String> inWords(String field, Object value) {
    return switch (value) {
      case List<?> labels when field.equals("labels") ->
          labels.stream().map(label -> "label " + label).toList();
      case List<?> either ->
          List.of(String.join(" or ", either.stream().map(String::valueOf).toList()));
      case Map<?, ?> amounts ->
          amounts.entrySet().stream()
              .map(one -> one.getKey() + (one.getValue().equals("*") ? "" : " " + one.getValue()))
              .toList();
      default -> List.of(field + " " + value);
    };
  }
}
