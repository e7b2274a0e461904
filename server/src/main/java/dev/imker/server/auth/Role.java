package dev.imker.server.auth;

/** What a caller may do. */
public enum Role {
  /** Everything, except posing as an agent. */
  ADMIN,
  /** Connect as an agent; fetch and store blobs. */
  AGENT
}
