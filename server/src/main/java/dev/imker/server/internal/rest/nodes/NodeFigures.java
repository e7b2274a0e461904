package dev.imker.server.internal.rest.nodes;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures of some nodes, each as one short row, and of all of them together.
 *
 * @param columns what the values of a row mean, in their order; of each agent there are id, name,
 *     state, running tasks, slots, why it is paused, and when it was seen; terms are those of an
 *     admin, null without any
 * @param total how many nodes match what was asked for; the rows are a part of them
 */
public record NodeFigures(
    List<String> columns, List<List<@Nullable Object>> rows, int total, Together all) {
  /** The pool as a whole; slots and cores of those that are connected. */
  record Together(int nodes, int connected, int slots, int running, int cores) {
    static Together of(List<NodeView> nodes) {
      int connected = 0;
      int slots = 0;
      int running = 0;
      int cores = 0;
      for (NodeView node : nodes) {
        if (node.connected()) {
          connected++;
          slots += node.slots();
          running += Math.min(node.running(), node.slots());
          cores += node.platform().cores();
        }
      }
      return new Together(nodes.size(), connected, slots, running, cores);
    }
  }

  private static final List<String> COLUMNS =
      List.of(
          "id",
          "name",
          "state",
          "slots",
          "running",
          "cores",
          "memoryBytes",
          "system",
          "reliability",
          "level",
          "meanUptimeMinutes",
          "uptimeMinutes",
          "benchmarkMillis",
          "successes",
          "failures",
          "succeededMinutes",
          "failedMinutes",
          "agents",
          "terms",
          "faults",
          "reliabilityPercent",
          "amounts");

  static NodeFigures of(List<NodeView> nodes, NodeSelection wanted) {
    List<NodeView> matching = wanted.of(nodes);
    return new NodeFigures(
        COLUMNS,
        wanted.page(matching).stream().map(NodeFigures::row).toList(),
        matching.size(),
        Together.of(nodes));
  }

  private static List<@Nullable Object> row(NodeView node) {
    ProfileView profile = node.profile();
    return Arrays.asList(
        node.id(),
        node.name(),
        node.state(),
        node.slots(),
        node.running(),
        node.platform().cores(),
        node.platform().memoryBytes(),
        node.platform().os() + " " + node.platform().arch(),
        profile == null ? null : rounded(profile.reputation()),
        profile == null ? null : profile.level(),
        profile == null ? null : rounded(profile.uptimeMinutes()),
        profile == null ? null : rounded(profile.currentUptimeMinutes()),
        profile == null ? null : profile.benchmarkMillis(),
        profile == null ? 0 : profile.successes(),
        profile == null ? 0 : profile.failures(),
        profile == null ? null : rounded(profile.succeededMinutes()),
        profile == null ? null : rounded(profile.failedMinutes()),
        node.agents().stream().map(NodeFigures::agent).toList(),
        node.terms().isNone() ? null : node.terms(),
        profile == null ? 0 : profile.faults(),
        profile == null ? null : profile.reliabilityPercent(),
        node.amounts());
  }

  private static List<@Nullable Object> agent(NodeView.Agent agent) {
    return Arrays.asList(
        agent.id(),
        agent.name(),
        agent.connected() ? agent.draining() ? "draining" : "connected" : "away",
        agent.running(),
        agent.slots(),
        agent.pause(),
        agent.seen());
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
