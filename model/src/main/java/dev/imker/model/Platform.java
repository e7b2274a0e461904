package dev.imker.model;

import dev.imker.model.job.Requirements;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a node is and has, as detected by its agent.
 *
 * @param facts for people only, not used by any requirement: names of its GPUs, how tasks are
 *     confined, the measured bandwidth; older agents report none
 * @param largestDownloadBytes the largest inputs for which its connection to the server is fast
 *     enough; 0: no limit is known
 * @param resources further resources declared by its owner, by name
 */
public record Platform(
    String os,
    String osVersion,
    String arch,
    String hostName,
    int cores,
    int gpus,
    long memoryBytes,
    long diskBytes,
    double benchmarkMillis,
    Map<String, String> runtimes,
    Set<String> labels,
    @Nullable Map<String, String> facts,
    long largestDownloadBytes,
    @Nullable Map<String, Resource> resources) {
  /**
   * A resource of which a task can hold an amount.
   *
   * @param items its items by name, which are handed out individually; empty if it is just an
   *     amount
   */
  public record Resource(double amount, List<String> items) {
    public Resource {
      items = List.copyOf(items);
      if (!(amount >= 0)) {
        throw new IllegalArgumentException("less than nothing of a resource");
      }
    }

    public static Resource of(double amount) {
      return new Resource(amount, List.of());
    }

    public static Resource of(List<String> items) {
      return new Resource(items.size(), items);
    }
  }

  private static final long MEGABYTE = 1 << 20;

  /**
   * The steps in which agents report how large inputs may be for their connection; beyond the last
   * there is no limit.
   */
  public static final List<Long> LINE_STEPS_BYTES = List.of(MEGABYTE, 5 * MEGABYTE, 20 * MEGABYTE);

  public Platform {
    Objects.requireNonNull(os, "os");
    Objects.requireNonNull(osVersion, "osVersion");
    Objects.requireNonNull(arch, "arch");
    Objects.requireNonNull(hostName, "hostName");
    if (cores < 0 || gpus < 0 || memoryBytes < 0 || diskBytes < 0 || !(benchmarkMillis >= 0)) {
      throw new IllegalArgumentException("a platform with less than nothing");
    }
    runtimes = Map.copyOf(runtimes);
    labels = Set.copyOf(labels);
    facts = facts == null ? Map.of() : Map.copyOf(facts);
    resources = resources == null ? Map.of() : Map.copyOf(resources);
  }

  /** A platform without further facts. */
  public Platform(
      String os,
      String osVersion,
      String arch,
      String hostName,
      int cores,
      int gpus,
      long memoryBytes,
      long diskBytes,
      double benchmarkMillis,
      Map<String, String> runtimes,
      Set<String> labels) {
    this(
        os,
        osVersion,
        arch,
        hostName,
        cores,
        gpus,
        memoryBytes,
        diskBytes,
        benchmarkMillis,
        runtimes,
        labels,
        Map.of(),
        0,
        Map.of());
  }

  /** An amount in hundredths; anything above zero counts as at least one. */
  public static long hundredths(double amount) {
    return Math.max(amount > 0 ? 1 : 0, Math.round(amount * Requirements.HUNDREDTHS));
  }

  /** All its resources by name; memory and disk in bytes, all others in hundredths. */
  public SortedMap<String, Long> amounts() {
    SortedMap<String, Long> all = new TreeMap<>();
    resources().forEach((name, one) -> all.put(name, hundredths(one.amount())));
    all.put("cores", (long) cores * Requirements.HUNDREDTHS);
    all.put("gpus", (long) gpus * Requirements.HUNDREDTHS);
    all.put("memory", memoryBytes);
    all.put("disk", diskBytes);
    all.values().removeIf(amount -> amount == 0);
    return all;
  }

  /** The amount of a resource that its owner has declared; 0 if none. */
  public double amountOf(String resource) {
    Resource declared = resources().get(resource);
    return declared == null ? 0 : declared.amount();
  }

  /**
   * Whether a task could hold this amount; of a resource with items, a fraction of one item or
   * whole items.
   */
  public boolean isDivisible(String resource, double amount) {
    Resource declared = resources().get(resource);
    return declared == null
        || declared.items().isEmpty()
        || amount < 1
        || amount == Math.rint(amount);
  }

  @Override
  public Map<String, Resource> resources() {
    return Objects.requireNonNull(resources);
  }

  @Override
  public Map<String, String> facts() {
    return Objects.requireNonNull(facts);
  }
}
