package dev.imker.server.live;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which nodes are trusted how far. Trust is granted to the keys that the agents of a node show at
 * that time, of which the hash is kept: whoever only knows a node's name gets none of it. Belongs
 * to the loop's thread.
 */
public final class NodeTrust {
  private static final String SETTING = "trust/";

  /** A level for those who show one of these keys. */
  private record Grant(int level, List<String> keyHashes) {
    String text() {
      return level + " " + String.join(" ", keyHashes);
    }

    static Grant parse(String text) {
      List<String> words = List.of(text.strip().split(" "));
      return new Grant(Integer.parseInt(words.getFirst()), words.subList(1, words.size()));
    }
  }

  private record Shown(NodeId node, String keyHash) {}

  private final Map<NodeId, Grant> grants = new HashMap<>();
  private final Map<AgentId, Shown> agents = new HashMap<>();

  public NodeTrust(PoolStore store) {
    store
        .settings(SETTING)
        .forEach(
            (key, text) ->
                grants.put(new NodeId(key.substring(SETTING.length())), Grant.parse(text)));
  }

  /** An agent came and showed a key; the level it has by that. */
  public int shown(AgentId agent, NodeId node, String keyHash) {
    agents.put(agent, new Shown(node, keyHash));
    Grant grant = grants.get(node);
    return grant != null && !keyHash.isEmpty() && grant.keyHashes.contains(keyHash)
        ? grant.level
        : 0;
  }

  /** Agents of a node that have shown a key since the server started. */
  public List<AgentId> agentsOf(NodeId node) {
    return keyHashes(node).keySet().stream().toList();
  }

  private Map<AgentId, String> keyHashes(NodeId node) {
    Map<AgentId, String> hashes = new HashMap<>();
    agents.forEach(
        (agent, shown) -> {
          if (shown.node.equals(node) && !shown.keyHash.isEmpty()) {
            hashes.put(agent, shown.keyHash);
          }
        });
    return hashes;
  }

  /** Grants a level to the keys that the agents of a node have shown, and to no other. */
  public SettingPut grant(NodeId node, int level) {
    Grant grant = new Grant(level, List.copyOf(new TreeSet<>(keyHashes(node).values())));
    grants.put(node, grant);
    return new SettingPut(SETTING + node.value(), grant.text());
  }
}
