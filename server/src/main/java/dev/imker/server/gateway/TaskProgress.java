package dev.imker.server.gateway;

import dev.imker.model.Lease;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** How far running tasks say that they have come. Kept in memory only: it is soon told again. */
public final class TaskProgress {
  private static final int MAX = 100_000;
  private static final int MAX_TEXT_CHARS = 1_000;

  /**
   * What a task said last.
   *
   * @param fraction from 0 to 1
   */
  public record Said(double fraction, String text) {}

  private final Map<Lease, Said> byLease = new ConcurrentHashMap<>();

  void said(Lease lease, double fraction, String text) {
    if (byLease.size() < MAX || byLease.containsKey(lease)) {
      double bounded = Double.isNaN(fraction) ? 0 : Math.clamp(fraction, 0, 1);
      byLease.put(
          lease, new Said(bounded, text.substring(0, Math.min(text.length(), MAX_TEXT_CHARS))));
    }
  }

  void ended(Lease lease) {
    if (!byLease.isEmpty()) {
      byLease.remove(lease);
    }
  }

  public Optional<Said> of(Lease lease) {
    return Optional.ofNullable(byLease.get(lease));
  }
}
