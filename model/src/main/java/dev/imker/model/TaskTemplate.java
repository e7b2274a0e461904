package dev.imker.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The part of a job that an agent needs to run its tasks; sent once per agent and job. */
public record TaskTemplate(
    JobId job,
    String user,
    String project,
    String jobName,
    JobKind kind,
    List<String> command,
    List<String> paramNames,
    Map<String, String> env,
    List<InputFile> inputs,
    List<String> outputs,
    long maxRuntimeMillis) {
  private static final String TASK = "task";
  private static final String JOB = "job";

  public TaskTemplate {
    command = List.copyOf(command);
    paramNames = List.copyOf(paramNames);
    env = Map.copyOf(env);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  public static TaskTemplate of(JobId job, String user, JobSpec spec) {
    return new TaskTemplate(
        job,
        user,
        spec.project(),
        spec.name(),
        spec.kind(),
        spec.command(),
        spec.sweep().stream().map(SweepAxis::name).toList(),
        spec.env(),
        spec.inputs(),
        spec.outputs(),
        spec.maxRuntimeMillis());
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
    return new ExpandedTask(expandAll(command, values), filledEnv, expandAll(outputs, values));
  }

  /**
   * Checks that every placeholder of a job is a parameter of its sweep, {@code task} or {@code
   * job}.
   *
   * @throws InputException naming the first one that is not
   */
  public static void check(JobSpec spec) {
    List<String> known = new ArrayList<>(List.of(TASK, JOB));
    spec.sweep().forEach(axis -> known.add(axis.name()));
    spec.command().forEach(word -> Placeholders.check("command", word, known));
    spec.env().forEach((key, value) -> Placeholders.check("variable " + key, value, known));
    spec.outputs().forEach(glob -> Placeholders.check("list of results", glob, known));
  }

  private static List<String> expandAll(List<String> texts, Map<String, String> values) {
    return texts.stream().map(text -> Placeholders.expand(text, values::get)).toList();
  }
}
