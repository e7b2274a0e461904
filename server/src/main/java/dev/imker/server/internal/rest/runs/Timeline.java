package dev.imker.server.internal.rest.runs;

import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.TaskFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gathers the attempts of a job, and tells how many ran at each time. */
final class Timeline implements TaskFigures.OfAttempts {
  static final int MAX_RUNS = 2_000;
  private static final int MAX_NODES = 40;
  private static final int FIRST_SIZE = 256;

  /** How an attempt ended, as far as a timeline tells. */
  private enum Outcome {
    DONE,
    FAILED,
    RUNNING,
    CANCELLED,
    EARLIER;

    static Outcome of(@Nullable TaskState state) {
      return switch (state) {
        case null -> EARLIER;
        case DONE -> DONE;
        case FAILED, AUTO_BLOCKED -> FAILED;
        case CANCELLED, BLOCKED -> CANCELLED;
        case RUNNING -> RUNNING;
        case WAITING, READY -> EARLIER;
      };
    }
  }

  private final long nowMillis;
  private final Map<String, Integer> nodes = new LinkedHashMap<>();
  private int[] tasks = new int[FIRST_SIZE];
  private int[] places = new int[FIRST_SIZE];
  private byte[] outcomes = new byte[FIRST_SIZE];
  private long[] starts = new long[FIRST_SIZE];
  private long[] ends = new long[FIRST_SIZE];
  private int size;

  Timeline(long nowMillis) {
    this.nowMillis = nowMillis;
  }

  @Override
  public void accept(
      int index, @Nullable TaskState state, String node, long startedMillis, long endedMillis) {
    if (node.isEmpty() || startedMillis == 0) {
      return;
    }
    if (size == tasks.length) {
      grow();
    }
    tasks[size] = index;
    places[size] = nodes.computeIfAbsent(node, _ -> nodes.size());
    outcomes[size] = (byte) Outcome.of(state).ordinal();
    starts[size] = startedMillis;
    ends[size] = Math.max(startedMillis, endedMillis == 0 ? nowMillis : endedMillis);
    size++;
  }

  private void grow() {
    int more = size * 2;
    tasks = Arrays.copyOf(tasks, more);
    places = Arrays.copyOf(places, more);
    outcomes = Arrays.copyOf(outcomes, more);
    starts = Arrays.copyOf(starts, more);
    ends = Arrays.copyOf(ends, more);
  }

  /**
   * @param parts how many the time is divided into
   */
  TimelineView view(int parts, NodeNames names) {
    long from = Arrays.stream(starts, 0, size).min().orElse(nowMillis);
    long to = Arrays.stream(ends, 0, size).max().orElse(nowMillis);
    long bucket = Math.max(1, (to - from + parts) / parts);
    double[][] byOutcome = new double[Outcome.values().length][parts];
    double[][] byNode = new double[nodes.size()][parts];
    for (int i = 0; i < size; i++) {
      add(byOutcome[outcomes[i]], starts[i] - from, ends[i] - from, bucket);
      add(byNode[places[i]], starts[i] - from, ends[i] - from, bucket);
    }
    Map<String, List<Double>> outcomeLists = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      double[] running = byOutcome[outcome.ordinal()];
      if (Arrays.stream(running).anyMatch(value -> value > 0)) {
        outcomeLists.put(outcome.name(), list(running));
      }
    }
    return new TimelineView(
        size,
        Times.iso(from),
        Times.iso(to),
        bucket,
        outcomeLists,
        busiest(byNode, names),
        Math.max(0, nodes.size() - MAX_NODES),
        size <= MAX_RUNS ? runs(names) : List.of());
  }

  /** Adds to each part the share of it in which an attempt ran. */
  private static void add(double[] parts, long from, long to, long bucket) {
    int first = (int) (from / bucket);
    int last = (int) Math.min(parts.length - 1, to / bucket);
    for (int i = first; i <= last; i++) {
      long begin = Math.max(from, i * bucket);
      long end = Math.min(to, (i + 1) * bucket);
      parts[i] += (double) (end - begin) / bucket;
    }
  }

  private List<TimelineView.Lane> busiest(double[][] byNode, NodeNames names) {
    List<TimelineView.Lane> lanes = new ArrayList<>();
    List<Map.Entry<String, Integer>> all = new ArrayList<>(nodes.entrySet());
    all.sort(
        Comparator.comparingDouble(
            (Map.Entry<String, Integer> one) -> -Arrays.stream(byNode[one.getValue()]).sum()));
    for (Map.Entry<String, Integer> one : all.subList(0, Math.min(MAX_NODES, all.size()))) {
      lanes.add(
          new TimelineView.Lane(names.of(new NodeId(one.getKey())), list(byNode[one.getValue()])));
    }
    lanes.sort(Comparator.comparing(TimelineView.Lane::node));
    return lanes;
  }

  private static List<Double> list(double[] values) {
    return Arrays.stream(values).map(v -> Math.round(v * 1000) / 1000.0).boxed().toList();
  }

  private List<TimelineView.Run> runs(NodeNames names) {
    String[] known = nodes.keySet().toArray(String[]::new);
    List<TimelineView.Run> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(
          new TimelineView.Run(
              tasks[i] + 1,
              names.of(new NodeId(known[places[i]])),
              Times.iso(starts[i]),
              Times.iso(ends[i]),
              Outcome.values()[outcomes[i]].name()));
    }
    return all;
  }
}
