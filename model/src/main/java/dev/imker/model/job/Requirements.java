package dev.imker.model.job;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a task asks of a node: any one of the alternatives must be met; no alternatives means any
 * node. Equal requirements form one class, and matching is done once per node and class.
 */
public record Requirements(List<Need> alternatives) {
  public static final Requirements ANY = new Requirements(List.of());

  /**
   * All of these together. Empty sets, empty strings and zeros demand nothing.
   *
   * @param downloadBytes so much is to be fetched: the node's line to the server has to suit it
   */
  public record Need(
      Set<String> os,
      Set<String> arch,
      int cores,
      int gpus,
      long memoryBytes,
      long diskBytes,
      Set<String> labels,
      Map<String, String> runtimes,
      long downloadBytes) {
    /** For lines of any speed. */
    public Need(
        Set<String> os,
        Set<String> arch,
        int cores,
        int gpus,
        long memoryBytes,
        long diskBytes,
        Set<String> labels,
        Map<String, String> runtimes) {
      this(os, arch, cores, gpus, memoryBytes, diskBytes, labels, runtimes, 0);
    }

    public Need {
      os = Set.copyOf(os);
      arch = Set.copyOf(arch);
      labels = Set.copyOf(labels);
      runtimes = Map.copyOf(runtimes);
    }
  }

  public Requirements {
    alternatives = List.copyOf(alternatives);
  }
}
