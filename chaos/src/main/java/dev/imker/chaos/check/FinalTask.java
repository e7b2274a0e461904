package dev.imker.chaos.check;

import dev.imker.model.TaskId;
import java.util.List;

/** What the pool says in the end of a task. */
public record FinalTask(TaskId id, String state, List<String> output) {
  public FinalTask {
    output = List.copyOf(output);
  }

  /** The first line of its output names the attempt. */
  String word() {
    return output.isEmpty() ? "" : output.getFirst();
  }
}
