package dev.imker.model.job;

import dev.imker.model.Platform;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a task needs from a node: one of the alternatives must be met, earlier ones are preferred;
 * no alternatives means one core of any node. Equal requirements form one class, so matching is
 * done once per node and class.
 */
public record Requirements(List<Need> alternatives) {
  public static final Requirements ANY = new Requirements(List.of());

  /** All amounts except bytes are in hundredths. */
  public static final int HUNDREDTHS = 100;

  /**
   * All of these must be met. Empty sets, empty strings and zeros demand nothing; amounts are
   * reserved on the node for as long as the task has its lease.
   *
   * @param cores in steps of a hundredth; 0: one
   * @param gpus whole devices, or a fraction of one
   * @param downloadBytes bytes to fetch, for which the node's connection to the server must be fast
   *     enough
   * @param wholeMachine all cores of the node, however many
   * @param resources amounts of resources declared by the owner of a node or an admin, by name
   * @param autoMemory as much memory as the tasks of the project were measured to need
   * @param byAttempt names of the amounts that grow: the second attempt gets twice as much, the
   *     third three times
   * @param heapBytes heap of the Java process that these tasks share on a node; the node must have
   *     this much memory, but tasks do not reserve it
   */
  public record Need(
      Set<String> os,
      Set<String> arch,
      double cores,
      double gpus,
      long memoryBytes,
      long diskBytes,
      Set<String> labels,
      Map<String, String> runtimes,
      long downloadBytes,
      boolean wholeMachine,
      @Nullable Map<String, Double> resources,
      boolean autoMemory,
      @Nullable Set<String> byAttempt,
      long heapBytes) {
    /** Without a Java process. */
    public Need(
        Set<String> os,
        Set<String> arch,
        double cores,
        double gpus,
        long memoryBytes,
        long diskBytes,
        Set<String> labels,
        Map<String, String> runtimes,
        long downloadBytes,
        boolean wholeMachine,
        @Nullable Map<String, Double> resources,
        boolean autoMemory,
        @Nullable Set<String> byAttempt) {
      this(
          os,
          arch,
          cores,
          gpus,
          memoryBytes,
          diskBytes,
          labels,
          runtimes,
          downloadBytes,
          wholeMachine,
          resources,
          autoMemory,
          byAttempt,
          0);
    }

    /** Without declared resources. */
    public Need(
        Set<String> os,
        Set<String> arch,
        double cores,
        double gpus,
        long memoryBytes,
        long diskBytes,
        Set<String> labels,
        Map<String, String> runtimes,
        long downloadBytes) {
      this(
          os,
          arch,
          cores,
          gpus,
          memoryBytes,
          diskBytes,
          labels,
          runtimes,
          downloadBytes,
          false,
          Map.of(),
          false,
          Set.of());
    }

    /** For any speed of the connection. */
    public Need(
        Set<String> os,
        Set<String> arch,
        double cores,
        double gpus,
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
      resources = resources == null ? Map.of() : Map.copyOf(resources);
      byAttempt = byAttempt == null ? Set.of() : Set.copyOf(byAttempt);
    }

    /** One core of any node. */
    public static final Need NOTHING = new Need(Set.of(), Set.of(), 0, 0, 0, 0, Set.of(), Map.of());

    public Need withCores(double value) {
      return with(value, gpus, memoryBytes, labels, resources(), autoMemory, heapBytes);
    }

    public Need withGpus(double value) {
      return with(cores, value, memoryBytes, labels, resources(), autoMemory, heapBytes);
    }

    /** On nodes with this much memory for the Java process that tasks share. */
    public Need withHeap(long bytes) {
      return with(cores, gpus, memoryBytes, labels, resources(), autoMemory, bytes);
    }

    public Need withMemory(long bytes) {
      return with(cores, gpus, bytes, labels, resources(), autoMemory, heapBytes);
    }

    /** With this label in addition to the others. */
    public Need withLabel(String label) {
      Set<String> all = new HashSet<>(labels);
      all.add(label);
      return with(cores, gpus, memoryBytes, all, resources(), autoMemory, heapBytes);
    }

    public Need withResource(String name, double amount) {
      Map<String, Double> all = new HashMap<>(resources());
      all.put(name, amount);
      return with(cores, gpus, memoryBytes, labels, all, autoMemory, heapBytes);
    }

    /** Unchanged if it states an amount of memory; otherwise the pool decides. */
    private Need leavingMemoryToPool() {
      return memoryBytes > 0 || autoMemory
          ? this
          : with(cores, gpus, 0, labels, resources(), true, heapBytes);
    }

    private Need with(
        double cores,
        double gpus,
        long memoryBytes,
        Set<String> labels,
        Map<String, Double> resources,
        boolean autoMemory,
        long heapBytes) {
      return new Need(
          os,
          arch,
          cores,
          gpus,
          memoryBytes,
          diskBytes,
          labels,
          runtimes,
          downloadBytes,
          wholeMachine,
          resources,
          autoMemory,
          byAttempt,
          heapBytes);
    }

    private Need at(int attempt, long autoBytes, long largestBytes) {
      Map<String, Double> others = new HashMap<>(resources());
      others.replaceAll((name, amount) -> amount * times(name, attempt));
      long memory = autoMemory ? autoBytes : memoryBytes * times("memory", attempt);
      boolean grew = autoMemory || times("memory", attempt) > 1;
      return new Need(
          os,
          arch,
          cores * times("cores", attempt),
          gpus * times("gpus", attempt),
          grew ? Math.clamp(memory, Math.min(memoryBytes, largestBytes), largestBytes) : memory,
          diskBytes * times("disk", attempt),
          labels,
          runtimes,
          downloadBytes,
          wholeMachine,
          others,
          false,
          Set.of(),
          heapBytes);
    }

    private int times(String name, int attempt) {
      return byAttempt().contains(name) ? attempt : 1;
    }

    @Override
    public Set<String> byAttempt() {
      return Objects.requireNonNull(byAttempt);
    }

    @Override
    public Map<String, Double> resources() {
      return Objects.requireNonNull(resources);
    }
  }

  public static final String RESOURCE_NAME_PATTERN = "[A-Za-z][A-Za-z0-9._-]{0,63}";

  private static final Pattern RESOURCE_NAME = Pattern.compile(RESOURCE_NAME_PATTERN);
  private static final Pattern ITEM_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}");
  private static final Set<String> BUILT_IN = Set.of("cores", "memory", "disk", "gpus");

  /** Whether this is a valid name for a declared resource. */
  public static boolean isResourceName(String name) {
    return RESOURCE_NAME.matcher(name).matches() && !BUILT_IN.contains(name);
  }

  /** Whether this is a valid name for an item of a declared resource. */
  public static boolean isItemName(String name) {
    return ITEM_NAME.matcher(name).matches();
  }

  /** Requirements with a single alternative. */
  public static Requirements of(Need need) {
    return need.equals(Need.NOTHING) ? ANY : new Requirements(List.of(need));
  }

  public Requirements {
    alternatives = List.copyOf(alternatives);
  }

  /** Whether an amount has at most two decimals. */
  public static boolean isInHundredths(double amount) {
    double hundredths = amount * HUNDREDTHS;
    return Math.abs(hundredths - Math.rint(hundredths)) < 1e-6;
  }

  /** Whether amounts depend on the attempt or on measurements. */
  public boolean growsByAttempt() {
    for (Need need : alternatives) {
      if (need.autoMemory() || !need.byAttempt().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Whether the amount of memory depends on measurements. */
  public boolean leavesMemoryToPool() {
    return alternatives.stream().anyMatch(Need::autoMemory);
  }

  /** The same, where the pool decides about memory unless an amount is stated. */
  public Requirements leavingMemoryToPool() {
    List<Need> all = alternatives.isEmpty() ? List.of(Need.NOTHING) : alternatives;
    return new Requirements(all.stream().map(Need::leavingMemoryToPool).toList());
  }

  /**
   * What an attempt needs.
   *
   * @param attempt from 1
   * @param autoBytes of memory, if the pool decides about it
   * @param largestBytes the largest useful amount of memory
   */
  public Requirements at(int attempt, long autoBytes, long largestBytes) {
    return new Requirements(
        alternatives.stream().map(need -> need.at(attempt, autoBytes, largestBytes)).toList());
  }

  /** An amount in hundredths, at least one if it is above zero. */
  public static long hundredths(double amount) {
    return Platform.hundredths(amount);
  }
}
