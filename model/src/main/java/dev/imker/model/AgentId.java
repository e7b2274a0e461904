package dev.imker.model;

/** Stable identity of one agent; several agents may run on one node. */
public record AgentId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
