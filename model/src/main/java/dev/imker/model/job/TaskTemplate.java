package dev.imker.model.job;

import dev.imker.model.JobId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

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
  private static final Pattern WILDCARDS = Pattern.compile("[\\\\*?\\[{]");
  private static final Pattern WILDCARDS_IN_GROUPS = Pattern.compile("[\\\\*?\\[{},]");

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
   * verbatim and unquoted, so that a value may itself be several words or an option; to pass them
   * as single words, put quotes around the placeholder.
   *
   * @param params in the order of {@link #paramNames}
   * @param number of the task, from one on
   * @param secrets that its environment names
   */
  public ExpandedTask expand(List<String> params, int number, Map<String, String> secrets) {
    Map<String, String> values = new HashMap<>();
    values.put(TASK, Integer.toString(number));
    values.put(JOB, job.toString());
    for (int i = 0; i < paramNames.size(); i++) {
      values.put(paramNames.get(i), params.get(i));
    }
    Map<String, String> filledEnv = new HashMap<>();
    env.forEach(
        (key, value) ->
            filledEnv.put(
                key,
                Placeholders.expand(
                    value,
                    name ->
                        SecretReference.is(name)
                            ? secrets.get(SecretReference.nameOf(name))
                            : values.get(name))));
    return new ExpandedTask(
        expandAll(command, values),
        filledEnv,
        outputs.stream().map(glob -> expandPattern(glob, values)).toList(),
        Placeholders.expand(rules.stdin(), values::get),
        Placeholders.expand(rules.folder(), values::get));
  }

  /**
   * The files of one task on a machine; a variant for its system replaces the general one.
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

  /** In a pattern of file names a value is literal, whatever characters it contains. */
  private static String expandPattern(String glob, Map<String, String> values) {
    boolean hasGroups = glob.replace("${", "").indexOf('{') >= 0;
    Pattern special = hasGroups ? WILDCARDS_IN_GROUPS : WILDCARDS;
    return Placeholders.expand(
        glob,
        name -> {
          String value = values.get(name);
          return value == null ? null : special.matcher(value).replaceAll("\\\\$0");
        });
  }

  private static List<String> expandAll(List<String> texts, Map<String, String> values) {
    return texts.stream().map(text -> Placeholders.expand(text, values::get)).toList();
  }
}
