package dev.imker.server.internal.rest.nodes;

import dev.imker.model.Platform;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A machine for callers.
 *
 * @param amounts what it offers and what of it is taken, by name; empty while it is away
 * @param terms on which an admin has it used
 * @param profile what its attempts showed; null if it has not been up since that is recorded
 */
public record NodeView(
    String id,
    String name,
    boolean connected,
    int slots,
    int running,
    Platform platform,
    SortedMap<String, Amount> amounts,
    List<Agent> agents,
    NodeTermsView terms,
    @Nullable ProfileView profile) {
  /**
   * An agent on it; what it holds {@code inAdvance} does not run yet, {@code pause} says why its
   * owner has its tasks frozen, {@code trust} is the level that an admin granted it, {@code
   * sandbox} says whether tasks are shut in while it is connected.
   */
  public record Agent(
      String id,
      String name,
      String version,
      int slots,
      int running,
      int inAdvance,
      boolean connected,
      boolean draining,
      String pause,
      int trust,
      String sandbox,
      String seen) {}

  /** One word for how it stands; what matters most comes first. */
  String state() {
    if (!connected) {
      return "away";
    }
    boolean paused = agents.stream().anyMatch(agent -> !agent.pause().isEmpty());
    if (paused || terms.paused() != null) {
      return "paused";
    }
    boolean draining = agents.stream().anyMatch(Agent::draining);
    return draining || terms.draining() != null ? "draining" : "connected";
  }
}
