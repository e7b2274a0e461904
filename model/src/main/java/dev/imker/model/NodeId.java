package dev.imker.model;

/** Stable identity of a machine; survives a changed address or host name. */
public record NodeId(String value) {
  @Override
  public String toString() {
    return value;
  }
}
