package dev.imker.model.change;

import dev.imker.model.NodeId;

/**
 * A node returned a wrong result, so its other recent results have to be checked again. Each doubt
 * is kept in the settings until the checks are ordered.
 */
public record Doubt(NodeId node, long atMillis) {
  public static final String SETTING = "doubt/";

  /** Prefix of the reason of a task whose result is, or was, computed again. */
  public static final String REASON = "re-checked: ";

  /** A doubt stored under the given key. */
  public static Doubt parse(String key, String node) {
    return new Doubt(new NodeId(node), Long.parseLong(key.split("/", 3)[1]));
  }

  private String key() {
    return SETTING + atMillis + "/" + node;
  }

  public SettingPut put() {
    return new SettingPut(key(), node.value());
  }

  public SettingPut removal() {
    return new SettingPut(key(), "");
  }
}
