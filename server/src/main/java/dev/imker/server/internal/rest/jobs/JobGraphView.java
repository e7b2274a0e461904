package dev.imker.server.internal.rest.jobs;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stages of a job, what they wait for, and how far each is. */
public record JobGraphView(List<StageView> stages) {
  /**
   * A stage; {@code first} is the number of its first task.
   *
   * @param command shortened if it is long
   * @param counts null where telling them would mean to read too much
   * @param meanMillis how long its tasks ran so far; null if none has
   */
  public record StageView(
      String name,
      int first,
      int tasks,
      String command,
      List<String> params,
      @Nullable CountsView counts,
      @Nullable Long meanMillis,
      List<AfterView> after) {}

  /** Either a stage of the same job, or tasks of other jobs. */
  record AfterView(String stage, String matching, String tasks, String data) {}
}
