package dev.imker.agent.internal.process;

/** How much of the machine a task may claim against its owner's own work. */
public enum ProcessPriority {
  /** Lowest CPU priority, disk only when nobody else wants it. */
  LOWEST,
  /** As the agent itself runs. */
  NORMAL
}
