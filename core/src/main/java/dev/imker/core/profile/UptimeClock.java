package dev.imker.core.profile;

/** What counts as a node's up-time. */
public enum UptimeClock {
  /** The time since the node came up. */
  WALL,
  /** Only the time in which it held work; what the reference simulation counts. */
  BUSY
}
