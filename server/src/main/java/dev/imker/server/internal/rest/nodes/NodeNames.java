package dev.imker.server.internal.rest.nodes;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.store.NodeRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of nodes and agents for people. */
public final class NodeNames {
  private final Map<NodeId, String> nodes = new HashMap<>();
  private final Map<AgentId, String> agents = new HashMap<>();

  private NodeNames() {}

  public static NodeNames of(List<NodeRecord> nodes) {
    NodeNames names = new NodeNames();
    for (NodeRecord node : nodes) {
      names.nodes.put(node.id(), name(node));
      node.agents().forEach(agent -> names.agents.put(agent.id(), agent.name()));
    }
    return names;
  }

  /** The host name, or the id where none is known. */
  static String name(NodeRecord node) {
    List<NodeRecord.Agent> agents = node.agents();
    String host = agents.isEmpty() ? "" : agents.getLast().platform().hostName();
    return host.isEmpty() ? node.id().value() : host;
  }

  public String of(NodeId node) {
    return nodes.getOrDefault(node, node.value());
  }

  public String of(AgentId agent) {
    return agents.getOrDefault(agent, agent.value());
  }
}
