package dev.imker.server.internal.rest.explain;

import dev.imker.server.internal.rest.nodes.ProfileView;
import dev.imker.server.internal.rest.pool.ProjectFigures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node would get now, and why.
 *
 * @param text all of it for people
 * @param projects those with READY tasks
 */
public record NodeExplanation(
    String node,
    String name,
    String strategy,
    String text,
    @Nullable ProfileView profile,
    List<Agent> agents,
    List<ProjectFigures> projects) {
  public record Agent(
      String id,
      String name,
      boolean connected,
      boolean draining,
      int slots,
      int running,
      String explanation) {}
}
