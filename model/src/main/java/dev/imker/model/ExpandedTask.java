package dev.imker.model;

import java.util.List;
import java.util.Map;

/** A task with all its parameters filled in: what is really run. */
public record ExpandedTask(List<String> command, Map<String, String> env, List<String> outputs) {
  public ExpandedTask {
    command = List.copyOf(command);
    env = Map.copyOf(env);
    outputs = List.copyOf(outputs);
  }
}
