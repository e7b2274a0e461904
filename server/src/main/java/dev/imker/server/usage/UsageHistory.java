package dev.imker.server.usage;

import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What tasks and machines used over time, as their agents said. Kept in memory only, also for a
 * while after a task has ended; of too many, those that were silent for longest are forgotten.
 */
public final class UsageHistory {
  private static final int MAX_TASKS = 20_000;
  private static final int MAX_NODES = 20_000;
  private static final long DAY_MILLIS = 86_400_000L;
  private static final long NODE_PAUSE_MILLIS = 10_000;

  /** After this, another attempt at the task is the one that counts. */
  private static final long SILENCE_MILLIS = 60_000;

  /** What a task uses at the moment. */
  public record Used(long cpuMillis, long memoryBytes, long diskBytes) {}

  private static final class Attempt {
    private final Lease lease;
    private final UsageSeries series;
    private long cpuMillis;
    private long atMillis;

    private Attempt(Lease lease, long atMillis, long cpuMillis) {
      this.lease = lease;
      this.series = new UsageSeries(atMillis, Long.MAX_VALUE / 2);
      this.cpuMillis = cpuMillis;
      this.atMillis = atMillis;
    }
  }

  private final LinkedHashMap<TaskId, Attempt> tasks = new LinkedHashMap<>();
  private final LinkedHashMap<NodeId, UsageSeries> nodes = new LinkedHashMap<>();

  public synchronized void ofTask(long nowMillis, Lease lease, Used used) {
    Attempt known = tasks.remove(lease.task());
    if (known == null || isOver(known, lease, nowMillis)) {
      known = new Attempt(lease, nowMillis, used.cpuMillis);
    }
    tasks.put(lease.task(), known);
    if (tasks.size() > MAX_TASKS) {
      tasks.pollFirstEntry();
    }
    long millis = nowMillis - known.atMillis;
    if (!known.lease.equals(lease) || millis <= 0) {
      return;
    }
    if (!known.series.isDue(nowMillis)) {
      known.series.hold(used.memoryBytes, used.diskBytes);
      return;
    }
    double cores = (double) Math.max(0, used.cpuMillis - known.cpuMillis) / millis;
    known.series.add(new UsageSeries.Point(nowMillis, cores, used.memoryBytes, used.diskBytes));
    known.cpuMillis = used.cpuMillis;
    known.atMillis = nowMillis;
  }

  /** Of several attempts at once, the first one is followed for as long as it is heard of. */
  private static boolean isOver(Attempt known, Lease lease, long nowMillis) {
    return !known.lease.equals(lease) && nowMillis - known.atMillis > SILENCE_MILLIS;
  }

  /**
   * @param cores how many of them were busy
   */
  public synchronized void ofNode(
      long nowMillis, NodeId node, double cores, long memoryBytes, long diskBytes) {
    UsageSeries series = nodes.remove(node);
    if (series == null) {
      series = new UsageSeries(nowMillis, DAY_MILLIS);
    }
    nodes.put(node, series);
    if (nodes.size() > MAX_NODES) {
      nodes.pollFirstEntry();
    }
    if (series.isDue(nowMillis) && nowMillis - series.lastMillis() >= NODE_PAUSE_MILLIS) {
      series.add(new UsageSeries.Point(nowMillis, cores, memoryBytes, diskBytes));
    }
  }

  /** The oldest first; nothing of what was never heard of. */
  public synchronized List<UsageSeries.Point> ofTask(TaskId task) {
    @Nullable Attempt known = tasks.get(task);
    return known == null ? List.of() : known.series.points();
  }

  /** The same of a machine, for a day. */
  public synchronized List<UsageSeries.Point> ofNode(NodeId node) {
    @Nullable UsageSeries known = nodes.get(node);
    return known == null ? List.of() : known.points();
  }
}
