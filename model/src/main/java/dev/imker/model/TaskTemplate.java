package dev.imker.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a stage that an agent needs to run its tasks; sent once per agent, job and stage.
 *
 * @param stage position of the stage in the job
 */
public record TaskTemplate(
    JobId job,
    int stage,
    String user,
    String project,
    String jobName,
    JobKind kind,
    List<String> command,
    String payload,
    List<String> paramNames,
    Map<String, String> env,
    List<InputFile> inputs,
    List<String> outputs,
    TaskRules rules) {
  private static final String TASK = "task";
  private static final String JOB = "job";

  public TaskTemplate {
    command = List.copyOf(command);
    paramNames = List.copyOf(paramNames);
    env = Map.copyOf(env);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  public static TaskTemplate of(JobId job, String user, JobSpec spec, int stageNumber) {
    Stage stage = spec.stages().get(stageNumber);
    return new TaskTemplate(
        job,
        stageNumber,
        user,
        spec.project(),
        spec.name(),
        spec.kind(),
        stage.command(),
        stage.payload(),
        stage.paramNames(),
        stage.env(),
        stage.inputs(),
        stage.outputs(),
        stage.rules());
  }

  /**
   * Fills in the parameters of one task. <code>${task}</code> is its number, from one on, and
   * <code>${job}</code> the job's. In a command of one element, a shell line, values are inserted
   * verbatim and unquoted, so that a value may itself be several words or an option; whoever needs
   * them as single words writes quotes around the placeholder.
   *
   * @param params in the order of {@link #paramNames}
   * @param number of the task, from one on
   */
  public ExpandedTask expand(List<String> params, int number) {
    Map<String, String> values = new HashMap<>();
    values.put(TASK, Integer.toString(number));
    values.put(JOB, job.toString());
    for (int i = 0; i < paramNames.size(); i++) {
      values.put(paramNames.get(i), params.get(i));
    }
    Map<String, String> filledEnv = new HashMap<>();
    env.forEach((key, value) -> filledEnv.put(key, Placeholders.expand(value, values::get)));
    return new ExpandedTask(
        expandAll(command, values),
        filledEnv,
        expandAll(outputs, values),
        Placeholders.expand(rules.stdin(), values::get),
        Placeholders.expand(rules.folder(), values::get));
  }

  /**
   * The files of one task on a machine; a variant for its system comes in the place of one for all.
   *
   * @param params in the order of {@link #paramNames}
   */
  public List<InputFile> inputsFor(String os, List<String> params) {
    Map<String, InputFile> byPath = new LinkedHashMap<>();
    for (InputFile input : inputs) {
      if (input.isFor(os) && input.isFor(paramNames, params)) {
        byPath.merge(input.path(), input, (one, other) -> one.os().isEmpty() ? other : one);
      }
    }
    return List.copyOf(byPath.values());
  }

  /**
   * Checks that every placeholder of a stage is a parameter of its sweep, {@code task} or {@code
   * job}.
   *
   * @throws InputException naming the first one that is not
   */
  public static void check(Stage stage) {
    List<String> known = new ArrayList<>(List.of(TASK, JOB));
    known.addAll(stage.paramNames());
    stage.command().forEach(word -> Placeholders.check("command", word, known));
    stage.env().forEach((key, value) -> Placeholders.check("variable " + key, value, known));
    stage.outputs().forEach(glob -> Placeholders.check("list of results", glob, known));
  }

  private static List<String> expandAll(List<String> texts, Map<String, String> values) {
    return texts.stream().map(text -> Placeholders.expand(text, values::get)).toList();
  }
}
