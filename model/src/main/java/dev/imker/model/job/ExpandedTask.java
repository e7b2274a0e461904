package dev.imker.model.job;

import java.util.List;
import java.util.Map;

/**
 * A task with all parameters filled in: what is actually executed.
 *
 * @param stdin what it reads from its standard input
 * @param folder name of its work folder; empty if it may have any
 */
public record ExpandedTask(
    List<String> command,
    Map<String, String> env,
    List<String> outputs,
    String stdin,
    String folder) {
  public ExpandedTask {
    command = List.copyOf(command);
    env = Map.copyOf(env);
    outputs = List.copyOf(outputs);
  }
}
