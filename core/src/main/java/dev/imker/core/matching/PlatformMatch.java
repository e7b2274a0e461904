package dev.imker.core.matching;

import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.Map;
import java.util.Set;

/** Whether a node has what a task asks for. */
final class PlatformMatch {
  private PlatformMatch() {}

  static boolean matches(Requirements requirements, Platform platform) {
    return matches(requirements, platform, platform.cores());
  }

  /** The same for a node of which only so many cores are used. */
  static boolean matches(Requirements requirements, Platform platform, int cores) {
    if (requirements.alternatives().isEmpty()) {
      return true;
    }
    for (Need need : requirements.alternatives()) {
      if (meets(need, platform, cores)) {
        return true;
      }
    }
    return false;
  }

  private static boolean meets(Need need, Platform platform, int cores) {
    return isOneOf(platform.os(), need.os())
        && isOneOf(platform.arch(), need.arch())
        && cores >= need.cores()
        && platform.gpus() >= need.gpus()
        && platform.memoryBytes() >= need.memoryBytes()
        && platform.diskBytes() >= need.diskBytes()
        && suits(platform.largestDownloadBytes(), need.downloadBytes())
        && platform.labels().containsAll(need.labels())
        && hasRuntimes(need.runtimes(), platform.runtimes())
        && has(need.resources(), platform);
  }

  private static boolean has(Map<String, Double> wanted, Platform platform) {
    for (Map.Entry<String, Double> one : wanted.entrySet()) {
      if (platform.amountOf(one.getKey()) < one.getValue()) {
        return false;
      }
    }
    return true;
  }

  /** A line that was not measured yet is taken for a good one. */
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
