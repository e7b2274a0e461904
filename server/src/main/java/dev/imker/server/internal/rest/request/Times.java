package dev.imker.server.internal.rest.request;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Moments as callers see them. */
public final class Times {
  private Times() {}

  public static String iso(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /** Zero means that it never happened. */
  public static @Nullable String isoOrNull(long millis) {
    return millis <= 0 ? null : iso(millis);
  }
}
