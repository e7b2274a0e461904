package dev.imker.sim.twin;

import dev.imker.model.ProjectId;
import java.util.List;

/**
 * What a pool recorded of itself.
 *
 * @param pool its name
 * @param strategy what handed out the work
 * @param fromMillis where the record begins
 * @param toMillis where it ends
 * @param leaseMillis how long silence lasts until work counts as lost
 */
public record PoolHistory(
    String pool,
    String strategy,
    long fromMillis,
    long toMillis,
    long leaseMillis,
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
   * @param up when it was there, in order, without overlaps
   */
  public record Node(String name, double benchmarkMillis, int slots, List<Span> up) {
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

  /** A task ran that long on the node of that position. */
  public record Run(int node, long millis) {}
}
