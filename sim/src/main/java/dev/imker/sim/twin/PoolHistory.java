package dev.imker.sim.twin;

import dev.imker.model.Granted;
import dev.imker.model.ProjectId;
import java.util.List;
import java.util.Map;

/**
 * The recorded history of a pool.
 *
 * @param pool its name
 * @param strategy the strategy in use
 * @param fromMillis where the record begins
 * @param toMillis where it ends
 * @param leaseMillis silence after which work counts as lost
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

  /** A period in which a node was present. */
  public record Span(long fromMillis, long toMillis) {}

  /**
   * A machine.
   *
   * @param benchmarkMillis of the standard benchmark; 0 if it was never measured
   * @param slots number of tasks at a time
   * @param amounts what it offers, by name; memory and disk in bytes, all others in hundredths
   * @param up periods in which it was present, in order, without overlaps
   */
  public record Node(
      String name, double benchmarkMillis, int slots, Map<String, Long> amounts, List<Span> up) {
    public Node {
      up = List.copyOf(up);
    }
  }

  /**
   * A job with executed tasks.
   *
   * @param tasks number of its tasks that ended
   * @param runs known run times and machines; at most one per task
   */
  public record Job(
      ProjectId project, long submittedMillis, long settledMillis, int tasks, List<Run> runs) {
    public Job {
      runs = List.copyOf(runs);
    }
  }

  /** The run time of a task on the node at that position, with its amounts. */
  public record Run(int node, long millis, Granted granted) {}
}
