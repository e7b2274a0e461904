package dev.imker.agent.internal.platform;

import dev.imker.model.Platform;
import java.util.concurrent.TimeUnit;

/**
 * How long so many bytes took. The tiers say how large the inputs of a task may be that such a line
 * is asked to fetch: one that needs up to ten seconds for a megabyte 20 MB, up to a minute 5 MB,
 * slower ones 1 MB; one that needs less than a second anything.
 */
public record Bandwidth(long bytes, long nanos) {
  private static final long MEASURED_BYTES = 1_000_000;
  private static final long MEGABYTE = 1 << 20;
  private static final double SLOW = 0.1;

  /** The largest download that suits the line; 0 without a limit. */
  public long largestDownloadBytes() {
    double seconds = secondsPerMegabyte();
    if (seconds <= 1) {
      return 0;
    }
    return Platform.LINE_STEPS_BYTES.get(seconds <= 10 ? 2 : seconds <= 60 ? 1 : 0);
  }

  public String inWords() {
    long largest = largestDownloadBytes();
    String limit = largest == 0 ? "no limit" : "inputs up to " + largest / MEGABYTE + " MB";
    double speed = 1 / secondsPerMegabyte();
    return speed < SLOW
        ? "%.0f KB/s, %s".formatted(1000 * speed, limit)
        : "%.1f MB/s, %s".formatted(speed, limit);
  }

  private double secondsPerMegabyte() {
    double seconds = (double) Math.max(1, nanos) / TimeUnit.SECONDS.toNanos(1);
    return seconds * MEASURED_BYTES / Math.max(1, bytes);
  }
}
