package dev.imker.server.internal.rest.runs;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a job measured, for tables and plots over their parameters.
 *
 * @param names of all metrics; {@code duration} in seconds comes first and is there without being
 *     printed
 * @param params names of all parameters
 * @param next number of the task from which on nothing was looked at; null if that were all
 */
public record MetricsView(
    List<String> names, List<String> params, List<Row> rows, @Nullable Integer next) {
  /**
   * One task that is done.
   *
   * @param metrics the last value of each
   * @param pictures result files that are images
   */
  public record Row(
      int task,
      String node,
      Map<String, String> params,
      Map<String, Double> metrics,
      List<String> pictures) {}
}
