package dev.imker.core.matching;

import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Whether a node has what a task asks for. */
final class PlatformMatch {
  private PlatformMatch() {}

  static boolean matches(Requirements requirements, Platform platform) {
    return matches(requirements, platform, platform.cores(), UnmetNeeds.NOTHING_SHARED);
  }

  static boolean matches(
      Requirements requirements, Platform platform, int cores, ToDoubleFunction<String> shared) {
    return requirements.alternatives().isEmpty()
        || requirements.alternatives().stream()
            .anyMatch(need -> meets(need, platform, cores, shared));
  }

  /**
   * Whether it has what an alternative asks for.
   *
   * @param cores how many of its cores are used
   * @param shared how much there is of what exists once for all machines; negative of other names
   */
  static boolean meets(Need need, Platform platform, int cores, ToDoubleFunction<String> shared) {
    return isOneOf(platform.os(), need.os())
        && isOneOf(platform.arch(), need.arch())
        && cores >= need.cores()
        && platform.gpus() >= need.gpus()
        && platform.memoryBytes() >= Math.max(need.memoryBytes(), need.heapBytes())
        && platform.diskBytes() >= need.diskBytes()
        && suits(platform.largestDownloadBytes(), need.downloadBytes())
        && platform.labels().containsAll(need.labels())
        && hasRuntimes(need.runtimes(), platform.runtimes())
        && has(need.resources(), platform, shared);
  }

  private static boolean has(
      Map<String, Double> wanted, Platform platform, ToDoubleFunction<String> shared) {
    for (Map.Entry<String, Double> one : wanted.entrySet()) {
      String name = one.getKey();
      if (amountOf(name, platform, shared) < one.getValue()
          || (shared.applyAsDouble(name) < 0 && !platform.isDivisible(name, one.getValue()))) {
        return false;
      }
    }
    return true;
  }

  static double amountOf(String name, Platform platform, ToDoubleFunction<String> shared) {
    double amount = shared.applyAsDouble(name);
    return amount < 0 ? platform.amountOf(name) : amount;
  }

  /** A connection that was not measured yet is assumed to be good. */
  static boolean suits(long largestDownloadBytes, long downloadBytes) {
    return largestDownloadBytes == 0 || largestDownloadBytes >= downloadBytes;
  }

  private static boolean isOneOf(String actual, Set<String> wanted) {
    return wanted.isEmpty() || wanted.stream().anyMatch(actual::equalsIgnoreCase);
  }

  private static boolean hasRuntimes(Map<String, String> wanted, Map<String, String> present) {
    for (Map.Entry<String, String> runtime : wanted.entrySet()) {
      String version = present.get(runtime.getKey());
      if (version == null || !VersionRange.parse(runtime.getValue()).contains(version)) {
        return false;
      }
    }
    return true;
  }
}
