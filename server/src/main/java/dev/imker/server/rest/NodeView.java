package dev.imker.server.rest;

import dev.imker.model.Platform;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A machine for callers.
 *
 * @param profile what its attempts showed; null if it has not been up since that is recorded
 */
public record NodeView(
    String id,
    String name,
    boolean connected,
    int slots,
    int running,
    Platform platform,
    List<Agent> agents,
    @Nullable ProfileView profile) {
  /**
   * An agent on it; {@code running} leases include queued ones, {@code pause} says why its owner
   * has them frozen, {@code trust} is the level that an admin granted it.
   */
  public record Agent(
      String id,
      String name,
      String version,
      int slots,
      int running,
      boolean connected,
      boolean draining,
      String pause,
      int trust,
      String seen) {}
}
