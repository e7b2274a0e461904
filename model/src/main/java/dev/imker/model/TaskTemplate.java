package dev.imker.model;

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
}
