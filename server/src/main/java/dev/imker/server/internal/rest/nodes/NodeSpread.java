package dev.imker.server.internal.rest.nodes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * How figures are spread over the nodes, in classes of equal width, or of equal ratio.
 *
 * @param uptime how long they are usually up, in minutes
 * @param work how long their attempts run that succeed, in minutes
 */
public record NodeSpread(
    List<Bar> reliability,
    List<Bar> uptime,
    List<Bar> uptimeLog,
    List<Bar> work,
    List<Bar> workLog) {
  private static final int CLASSES = 20;

  /** How many nodes have a value from one bound to the other. */
  record Bar(double from, double to, int count) {}

  static NodeSpread of(List<NodeView> nodes) {
    double[] uptimes = values(nodes, ProfileView::uptimeMinutes);
    double[] work = positive(values(nodes, ProfileView::succeededMinutes));
    return new NodeSpread(
        bars(values(nodes, ProfileView::reliabilityPercent)),
        bars(uptimes),
        logBars(positive(uptimes)),
        bars(work),
        logBars(work));
  }

  private static double[] values(List<NodeView> nodes, ToDoubleFunction<ProfileView> figure) {
    return nodes.stream()
        .map(NodeView::profile)
        .filter(Objects::nonNull)
        .mapToDouble(figure)
        .filter(Double::isFinite)
        .toArray();
  }

  private static double[] positive(double[] values) {
    return Arrays.stream(values).filter(value -> value > 0).toArray();
  }

  private static List<Bar> logBars(double[] values) {
    return bars(Arrays.stream(values).map(Math::log10).toArray()).stream()
        .map(bar -> new Bar(Math.pow(10, bar.from), Math.pow(10, bar.to), bar.count))
        .toList();
  }

  static List<Bar> bars(double[] values) {
    if (values.length == 0) {
      return List.of();
    }
    double low = Arrays.stream(values).min().orElseThrow();
    double high = Arrays.stream(values).max().orElseThrow();
    int classes = high > low ? CLASSES : 1;
    double width = high > low ? (high - low) / CLASSES : 1;
    int[] counts = new int[classes];
    for (double value : values) {
      counts[Math.min(classes - 1, (int) ((value - low) / width))]++;
    }
    List<Bar> bars = new ArrayList<>(classes);
    for (int i = 0; i < classes; i++) {
      bars.add(new Bar(low + i * width, low + (i + 1) * width, counts[i]));
    }
    return bars;
  }
}
