package dev.imker.server.rest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Moments as callers see them. */
final class Times {
  private Times() {}

  static String iso(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /** Zero means that it never happened. */
  static @Nullable String isoOrNull(long millis) {
    return millis <= 0 ? null : iso(millis);
  }
}
