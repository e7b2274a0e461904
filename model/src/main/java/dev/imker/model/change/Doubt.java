package dev.imker.model.change;

import dev.imker.model.NodeId;

/**
 * A node was caught with a wrong result: what else it has returned of late is to be looked into.
 * Kept among the settings until that is ordered, a doubt for each time.
 */
public record Doubt(NodeId node, long atMillis) {
  public static final String SETTING = "doubt/";

  /** What the reason of a task begins with whose result is, or was, made again. */
  public static final String REASON = "re-checked: ";

  /** One that was kept under a name. */
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
