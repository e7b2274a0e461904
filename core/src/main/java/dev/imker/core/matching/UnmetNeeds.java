package dev.imker.core.matching;

import dev.imker.model.Granted;
import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Explains why a node cannot run a task. */
public final class UnmetNeeds {
  private static final double GIGABYTE = 1L << 30;
  private static final double MEGABYTE = 1L << 20;

  /** Of a pool in which nothing exists once for all machines. */
  public static final ToDoubleFunction<String> NOTHING_SHARED = name -> -1;

  private final Platform platform;
  private final int cores;
  private final ToDoubleFunction<String> shared;
  private final List<String> unmet = new ArrayList<>();

  private UnmetNeeds(Platform platform, int cores, ToDoubleFunction<String> shared) {
    this.platform = platform;
    this.cores = cores;
    this.shared = shared;
  }

  /** What the node lacks; empty exactly if it matches. With alternatives, what each one lacks. */
  public static List<String> of(Requirements requirements, Platform platform) {
    return of(requirements, platform, platform.cores(), NOTHING_SHARED);
  }

  /**
   * The same for a node of which only so many cores are used.
   *
   * @param shared how much there is of what exists once for all machines; negative of other names
   */
  public static List<String> of(
      Requirements requirements, Platform platform, int cores, ToDoubleFunction<String> shared) {
    if (PlatformMatch.matches(requirements, platform, cores, shared)) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    for (Need need : requirements.alternatives()) {
      UnmetNeeds one = new UnmetNeeds(platform, cores, shared);
      one.check(need);
      all.add(String.join(", ", one.unmet));
    }
    return all;
  }

  private void check(Need need) {
    oneOf("os", need.os(), platform.os());
    oneOf("architecture", need.arch(), platform.arch());
    atLeast("cores", need.cores(), cores);
    atLeast("GPUs", need.gpus(), platform.gpus());
    atLeastBytes("memory", need.memoryBytes(), platform.memoryBytes());
    atLeastBytes("memory for a Java heap", need.heapBytes(), platform.memoryBytes());
    atLeastBytes("disk", need.diskBytes(), platform.diskBytes());
    if (!PlatformMatch.suits(platform.largestDownloadBytes(), need.downloadBytes())) {
      unmet.add(
          String.format(
              Locale.ROOT,
              "needs a connection for inputs of %.0f MB, has one for %.0f MB",
              need.downloadBytes() / MEGABYTE,
              platform.largestDownloadBytes() / MEGABYTE));
    }
    for (String label : new TreeSet<>(need.labels())) {
      if (!platform.labels().contains(label)) {
        unmet.add("needs the label " + label);
      }
    }
    need.runtimes().forEach(this::runtime);
    new TreeMap<>(need.resources()).forEach(this::resource);
  }

  private void oneOf(String what, Set<String> wanted, String actual) {
    if (!wanted.isEmpty() && wanted.stream().noneMatch(actual::equalsIgnoreCase)) {
      String names = String.join(" or ", new TreeSet<>(wanted));
      unmet.add("needs " + what + " " + names + ", has " + actual);
    }
  }

  private void atLeast(String what, double wanted, double actual) {
    if (actual < wanted) {
      unmet.add("needs " + amount(wanted) + " " + what + ", has " + amount(actual));
    }
  }

  private static String amount(double value) {
    return Granted.inWords(Requirements.hundredths(value));
  }

  private void atLeastBytes(String what, long wanted, long actual) {
    if (actual < wanted) {
      unmet.add(
          String.format(
              Locale.ROOT,
              "needs %.1f GB of %s, has %.1f GB",
              wanted / GIGABYTE,
              what,
              actual / GIGABYTE));
    }
  }

  private void resource(String name, double wanted) {
    boolean fromPool = shared.applyAsDouble(name) >= 0;
    if (!fromPool && !platform.isDivisible(name, wanted)) {
      unmet.add(
          "needs %s %s, has whole devices: ask for less than one, or for a whole number"
              .formatted(amount(wanted), name));
    } else {
      atLeast(name, wanted, PlatformMatch.amountOf(name, platform, shared));
    }
  }

  private void runtime(String name, String range) {
    String version = platform.runtimes().get(name);
    String wanted = "needs " + name + (range.isBlank() ? "" : " " + range);
    if (version == null) {
      unmet.add(wanted + ", has none");
    } else if (!VersionRange.parse(range).contains(version)) {
      unmet.add(wanted + ", has " + (version.isEmpty() ? "an unknown version" : version));
    }
  }
}
