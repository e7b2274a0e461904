package dev.imker.server.history;

import java.util.List;
import java.util.Map;

/**
 * The recorded life of a pool, as JSON. Times are milliseconds since 1970.
 *
 * @param strategy what hands out the work, in the words of {@code imker sim --strategy}
 * @param leaseMillis how long silence lasts until work counts as lost
 * @param resources amounts that exist once for all machines, by name
 */
public record HistoryView(
    String pool,
    String strategy,
    long fromMillis,
    long toMillis,
    long leaseMillis,
    Map<String, Double> resources,
    List<Node> nodes,
    List<Job> jobs) {
  public HistoryView {
    resources = Map.copyOf(resources);
    nodes = List.copyOf(nodes);
    jobs = List.copyOf(jobs);
  }

  /** From when to when a machine was there. */
  public record Span(long fromMillis, long toMillis) {}

  /**
   * A machine.
   *
   * @param benchmarkMillis 0 if it was never measured
   * @param amounts what it offers, by name; bytes of memory and disk, hundredths of all else
   */
  public record Node(
      String name, double benchmarkMillis, int slots, Map<String, Long> amounts, List<Span> up) {
    public Node {
      amounts = Map.copyOf(amounts);
      up = List.copyOf(up);
    }
  }

  /**
   * A job.
   *
   * @param tasks how many of its tasks came to an end
   * @param settledMillis the end of the record if it is still open
   * @param runs how long tasks ran and where; of large jobs a part of them
   */
  public record Job(
      long id,
      String user,
      String project,
      long submittedMillis,
      long settledMillis,
      int tasks,
      List<Run> runs) {
    public Job {
      runs = List.copyOf(runs);
    }
  }

  /**
   * A task ran that long on the machine of that position.
   *
   * @param granted what it was given there, as {@link dev.imker.model.Granted#text} writes it
   */
  public record Run(int node, long millis, String granted) {}
}
