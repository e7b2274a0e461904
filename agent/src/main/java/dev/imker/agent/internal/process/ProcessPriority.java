package dev.imker.agent.internal.process;

/** The priority of a task relative to the owner's own work. */
public enum ProcessPriority {
  /** Lowest CPU priority, disk only when nobody else wants it. */
  LOWEST,
  /** As the agent itself runs. */
  NORMAL
}
