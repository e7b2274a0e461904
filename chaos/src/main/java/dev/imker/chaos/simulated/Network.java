package dev.imker.chaos.simulated;

import java.util.HashMap;
import java.util.Map;

/** Who cannot reach whom, and until when. */
final class Network {
  private record Pair(int agent, int server) {}

  private final Map<Pair, Long> closedUntil = new HashMap<>();

  void part(int agent, int server, long untilNanos) {
    closedUntil.merge(new Pair(agent, server), untilNanos, Math::max);
  }

  /** From when on what is sent arrives. */
  long openFrom(int agent, int server) {
    return closedUntil.getOrDefault(new Pair(agent, server), 0L);
  }
}
