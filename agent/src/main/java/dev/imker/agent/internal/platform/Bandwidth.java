package dev.imker.agent.internal.platform;

import java.util.concurrent.TimeUnit;

/**
 * How long so many bytes took. The tiers say how large the inputs of a task may be that such a line
 * is asked to fetch: one that needs up to ten seconds for a megabyte 20 MB, up to a minute 5 MB,
 * slower ones 1 MB; one that needs less than a second anything.
 */
public record Bandwidth(long bytes, long nanos) {
  private static final long MEGABYTE = 1_000_000;

  /** The largest download that suits the line; {@link Long#MAX_VALUE} without a limit. */
  public long largestDownloadBytes() {
    double seconds = secondsPerMegabyte();
    if (seconds <= 1) {
      return Long.MAX_VALUE;
    }
    if (seconds <= 10) {
      return 20 * MEGABYTE;
    }
    return seconds <= 60 ? 5 * MEGABYTE : MEGABYTE;
  }

  public String inWords() {
    long largest = largestDownloadBytes();
    String limit =
        largest == Long.MAX_VALUE ? "no limit" : "inputs up to " + largest / MEGABYTE + " MB";
    return "%.1f MB/s, %s".formatted(1 / secondsPerMegabyte(), limit);
  }

  private double secondsPerMegabyte() {
    double seconds = (double) Math.max(1, nanos) / TimeUnit.SECONDS.toNanos(1);
    return seconds * MEGABYTE / Math.max(1, bytes);
  }
}
