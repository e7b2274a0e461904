package dev.imker.server.rest;

import dev.imker.model.Platform;
import java.util.List;

/** A machine for callers. */
public record NodeView(
    String id,
    String name,
    boolean connected,
    int slots,
    int running,
    Platform platform,
    List<Agent> agents) {
  /** An agent on it; {@code running} leases include queued ones. */
  public record Agent(
      String id,
      String name,
      String version,
      int slots,
      int running,
      boolean connected,
      boolean draining,
      String seen) {}
}
