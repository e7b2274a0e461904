package dev.imker.agent;

import dev.imker.model.Platform.Resource;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The part of a machine that its owner offers to tasks.
 *
 * @param cores 0: all; more than the machine has is allowed
 * @param memoryBytes 0: all that it has
 * @param gpus {@link #FOUND}: the detected ones
 * @param resources further resources by name
 */
public record Offer(int cores, long memoryBytes, int gpus, SortedMap<String, Resource> resources) {
  /** As many GPUs as the system shows. */
  public static final int FOUND = -1;

  /** All of the machine. */
  public static final Offer ALL = new Offer(0, 0, FOUND, new TreeMap<>());

  public Offer {
    if (cores < 0 || memoryBytes < 0 || gpus < FOUND) {
      throw new IllegalArgumentException("an offer of less than nothing");
    }
    resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
  }

  public Offer withCores(int newCores) {
    return new Offer(newCores, memoryBytes, gpus, resources);
  }

  public Offer withMemory(long bytes) {
    return new Offer(cores, bytes, gpus, resources);
  }

  public Offer withGpus(int newGpus) {
    return new Offer(cores, memoryBytes, newGpus, resources);
  }

  public Offer with(String name, Resource resource) {
    TreeMap<String, Resource> more = new TreeMap<>(resources);
    more.put(name, resource);
    return new Offer(cores, memoryBytes, gpus, more);
  }

  /** The minimum of both where both have an amount, and what only one of them has. */
  public Offer within(Offer limit) {
    TreeMap<String, Resource> all = new TreeMap<>(resources);
    all.putAll(limit.resources);
    return new Offer(
        cores == 0 || limit.cores == 0
            ? Math.max(cores, limit.cores)
            : Math.min(cores, limit.cores),
        memoryBytes == 0 || limit.memoryBytes == 0
            ? Math.max(memoryBytes, limit.memoryBytes)
            : Math.min(memoryBytes, limit.memoryBytes),
        gpus == FOUND || limit.gpus == FOUND
            ? Math.max(gpus, limit.gpus)
            : Math.min(gpus, limit.gpus),
        all);
  }
}
