package dev.imker.server.rest;

import dev.imker.core.AgentView;
import dev.imker.core.UnmetNeeds;
import dev.imker.model.AgentId;
import dev.imker.model.Stage;
import dev.imker.store.NodeRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The connected agents, sorted by what they lack for a task. */
final class FittingNodes {
  private final Map<List<String>, List<AgentView>> byLack = new LinkedHashMap<>();

  FittingNodes(Stage stage, List<NodeRecord> nodes, List<AgentView> agents) {
    Map<AgentId, List<String>> lacks = new LinkedHashMap<>();
    for (NodeRecord node : nodes) {
      node.agents().forEach(a -> lacks.put(a.id(), lack(stage, node, a)));
    }
    for (AgentView agent : agents) {
      List<String> lack = lacks.get(agent.agent());
      if (agent.connected() && lack != null) {
        List<String> all = withReserve(withTrust(lack, stage, agent), agent);
        byLack.computeIfAbsent(all, l -> new ArrayList<>()).add(agent);
      }
    }
  }

  private static List<String> withTrust(List<String> lack, Stage stage, AgentView agent) {
    if (agent.trust() >= stage.rules().trust()) {
      return lack;
    }
    List<String> all = new ArrayList<>(lack);
    all.add("needs trust level %d, has %d".formatted(stage.rules().trust(), agent.trust()));
    return all;
  }

  private static List<String> withReserve(List<String> lack, AgentView agent) {
    if (!agent.draining() && agent.pause().isEmpty()) {
      return lack;
    }
    List<String> all = new ArrayList<>(lack);
    all.add(
        agent.draining()
            ? "is draining and takes no further work"
            : "is paused by its owner: " + agent.pause());
    return all;
  }

  private static List<String> lack(Stage stage, NodeRecord node, NodeRecord.Agent agent) {
    List<String> unmet = UnmetNeeds.of(stage.needs(), agent.platform());
    String pin = stage.rules().pin();
    boolean fits =
        pin.isEmpty()
            || pin.equals(node.id().value())
            || pin.equals(agent.name())
            || pin.equals(agent.platform().hostName());
    if (fits) {
      return unmet;
    }
    List<String> all = new ArrayList<>(unmet);
    all.add("is not " + pin + ", to which the task is pinned");
    return all;
  }

  boolean isEmpty() {
    return byLack.isEmpty();
  }

  /** Agents that could run the task. */
  List<AgentView> fitting() {
    return byLack.getOrDefault(List.of(), List.of());
  }

  List<TaskExplanation.NodeClass> classes() {
    List<TaskExplanation.NodeClass> classes = new ArrayList<>();
    byLack.forEach((lack, agents) -> classes.add(view(lack, agents)));
    return classes;
  }

  private static TaskExplanation.NodeClass view(List<String> lack, List<AgentView> agents) {
    return new TaskExplanation.NodeClass(
        (int) agents.stream().map(AgentView::node).distinct().count(),
        agents.stream().mapToInt(AgentView::slots).sum(),
        agents.stream().mapToInt(FittingNodes::free).sum(),
        agents.getFirst().name(),
        lack);
  }

  static int free(AgentView agent) {
    return Math.max(0, agent.slots() - agent.held());
  }
}
