package dev.imker.server.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.core.message.NodeTerms;
import dev.imker.model.NodeId;
import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.util.HashMap;
import java.util.Map;

/** On which terms an admin has nodes used, as it is kept. Belongs to the loop's thread. */
public final class TermsBook {
  private static final String SETTING = "node-terms/";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Map<NodeId, NodeTerms> terms = new HashMap<>();

  public TermsBook(PoolStore store) {
    store
        .settings(SETTING)
        .forEach((key, text) -> remember(new NodeId(key.substring(SETTING.length())), parse(text)));
  }

  public NodeTerms of(NodeId node) {
    return terms.getOrDefault(node, NodeTerms.NONE);
  }

  /** Of all nodes that have any. */
  public Map<NodeId, NodeTerms> all() {
    return Map.copyOf(terms);
  }

  public SettingPut put(NodeId node, NodeTerms next) {
    remember(node, next);
    try {
      return new SettingPut(SETTING + node.value(), JSON.writeValueAsString(next));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("terms that are not JSON", e);
    }
  }

  private void remember(NodeId node, NodeTerms next) {
    if (next.equals(NodeTerms.NONE)) {
      terms.remove(node);
    } else {
      terms.put(node, next);
    }
  }

  private static NodeTerms parse(String text) {
    try {
      return JSON.readValue(text, NodeTerms.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("terms of a node that cannot be read: " + text, e);
    }
  }
}
