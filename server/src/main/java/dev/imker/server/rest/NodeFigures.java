package dev.imker.server.rest;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all nodes, each as one short row: ten thousand of them are a small answer.
 *
 * @param columns what the values of a row mean, in their order; of each agent there are id, name,
 *     state, running tasks, slots, why it is paused, and when it was seen
 */
record NodeFigures(List<String> columns, List<List<@Nullable Object>> rows) {
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
          "agents");

  static NodeFigures of(List<NodeView> nodes) {
    return new NodeFigures(COLUMNS, nodes.stream().map(NodeFigures::row).toList());
  }

  private static List<@Nullable Object> row(NodeView node) {
    ProfileView profile = node.profile();
    return Arrays.asList(
        node.id(),
        node.name(),
        state(node),
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
        node.agents().stream().map(NodeFigures::agent).toList());
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

  private static String state(NodeView node) {
    if (!node.connected()) {
      return "away";
    }
    if (node.agents().stream().anyMatch(NodeView.Agent::draining)) {
      return "draining";
    }
    return node.agents().stream().allMatch(agent -> agent.pause().isEmpty())
        ? "connected"
        : "paused";
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
