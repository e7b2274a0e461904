package dev.imker.sim.twin;

import dev.imker.model.Granted;
import dev.imker.model.ProjectId;
import java.util.List;
import java.util.Map;

/**
 * What a pool recorded of itself.
 *
 * @param pool its name
 * @param strategy what handed out the work
 * @param fromMillis where the record begins
 * @param toMillis where it ends
 * @param leaseMillis how long silence lasts until work counts as lost
 * @param resources amounts that exist once for all machines, by name
 */
public record PoolHistory(
    String pool,
    String strategy,
    long fromMillis,
    long toMillis,
    long leaseMillis,
    Map<String, Double> resources,
    List<Node> nodes,
    List<Job> jobs) {
  public PoolHistory {
    nodes = List.copyOf(nodes);
    jobs = List.copyOf(jobs);
  }

  /** From when to when a node was there. */
  public record Span(long fromMillis, long toMillis) {}

  /**
   * A machine.
   *
   * @param benchmarkMillis of the standard benchmark; 0 if it was never measured
   * @param slots how many tasks it works on at a time
   * @param amounts what it offers, by name; bytes of memory and disk, hundredths of all else
   * @param up when it was there, in order, without overlaps
   */
  public record Node(
      String name, double benchmarkMillis, int slots, Map<String, Long> amounts, List<Span> up) {
    public Node {
      up = List.copyOf(up);
    }
  }

  /**
   * A job that was worked on.
   *
   * @param tasks how many of its tasks came to an end
   * @param runs what is known of how long and where; at most as many as tasks
   */
  public record Job(
      ProjectId project, long submittedMillis, long settledMillis, int tasks, List<Run> runs) {
    public Job {
      runs = List.copyOf(runs);
    }
  }

  /** A task ran that long on the node of that position, with what it was given there. */
  public record Run(int node, long millis, Granted granted) {}
}
