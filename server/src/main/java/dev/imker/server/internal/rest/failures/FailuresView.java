package dev.imker.server.internal.rest.failures;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The failures of a job.
 *
 * @param failed tasks whose own attempts failed or were lost too often
 * @param skipped tasks that never ran because what they depend on failed
 * @param looked how many of the failed ones were looked at; the first ones
 * @param groups the largest first
 * @param differences between failed tasks and those that are done; what tells most comes first
 */
public record FailuresView(
    int failed, int skipped, int looked, List<Group> groups, List<Difference> differences) {
  /**
   * Tasks that failed with the same message.
   *
   * @param message the last line of the error output of the first one, or why it failed
   * @param varies whether the messages of others have other numbers in it
   * @param written whether there is error output to look at
   * @param nodes how many failed on which machine
   * @param params values of parameters, where there are only a few
   * @param tasks selector of them
   * @param first number of the first one
   */
  public record Group(
      String message,
      boolean varies,
      boolean written,
      int count,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer exitCode,
      Map<String, Integer> nodes,
      Map<String, List<String>> params,
      String tasks,
      int first) {}

  /**
   * What many failed tasks have in common and few of the others.
   *
   * @param kind stage, node or param
   * @param name of the parameter; empty for stages and nodes
   * @param value the common one; null for a range
   * @param from least value of a range
   * @param to greatest value of a range
   * @param failed failed tasks that have it
   * @param succeeded tasks that are done and have it
   */
  public record Difference(
      String kind,
      String name,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String value,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String from,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String to,
      int failed,
      int ofFailed,
      int succeeded,
      int ofSucceeded) {}
}
