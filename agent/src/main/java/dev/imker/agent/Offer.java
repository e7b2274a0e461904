package dev.imker.agent;

import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import dev.imker.model.validation.JobLimits;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a machine its owner offers to tasks.
 *
 * @param cores 0: all that it has; more than it has is allowed
 * @param memoryBytes 0: all that it has
 * @param gpus {@link #FOUND}: those that are found
 * @param resources what else it has, by name
 */
public record Offer(int cores, long memoryBytes, int gpus, SortedMap<String, Resource> resources) {
  /** As many GPUs as the system shows. */
  public static final int FOUND = -1;

  /** All of the machine. */
  public static final Offer ALL = new Offer(0, 0, FOUND, new TreeMap<>());

  /** What {@link #bytes} takes, in words. */
  public static final String SIZES = "a size such as 512 MB or 4 GB";

  /** What {@link #amount} and {@link #items} take, in words. */
  public static final String AMOUNTS =
      "an amount such as 2, or a list of different items such as [left, right]";

  private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([KMGT]?)i?B?");

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

  /** No more of this than the other one allows, and what only one of them has. */
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

  /**
   * A plain amount of a resource.
   *
   * @throws IllegalArgumentException if it is none that could be offered
   */
  public static Resource amount(String text) {
    double amount = Double.parseDouble(text);
    if (!(amount > 0) || amount > JobLimits.MAX_AMOUNT) {
      throw new IllegalArgumentException(text);
    }
    return Resource.of(Requirements.hundredths(amount) / (double) Requirements.HUNDREDTHS);
  }

  /**
   * A resource whose items have names.
   *
   * @throws IllegalArgumentException if there are none, or not all have different and proper names
   */
  public static Resource items(List<String> names) {
    boolean proper = names.stream().allMatch(Requirements::isItemName);
    if (!proper || names.isEmpty() || new HashSet<>(names).size() < names.size()) {
      throw new IllegalArgumentException(names.toString());
    }
    return Resource.of(names);
  }

  /**
   * What {@code fpga=2} or {@code camera=[left,right]} declares.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static Map.Entry<String, Resource> declared(String text) {
    int equals = text.indexOf('=');
    String name = text.substring(0, Math.max(0, equals)).strip();
    String value = text.substring(equals + 1).strip();
    if (!Requirements.isResourceName(name)) {
      throw new IllegalArgumentException(text);
    }
    boolean list = value.startsWith("[") && value.endsWith("]");
    return Map.entry(
        name,
        list
            ? items(List.of(value.substring(1, value.length() - 1).strip().split("\\s*,\\s*", -1)))
            : amount(value));
  }

  /**
   * How many bytes {@code 512 MB} are.
   *
   * @throws IllegalArgumentException if it is no size
   */
  public static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT).replace("IB", "B"));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    int shift = 10 * " KMGT".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
    return Math.round(Double.parseDouble(matcher.group(1)) * (1L << shift));
  }
}
