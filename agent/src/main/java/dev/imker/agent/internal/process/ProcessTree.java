package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.ProcFs;

/** The processes below this one, as a whole. */
public final class ProcessTree {
  private static final long SEEN_NANOS = 1_000_000_000L;

  private ProcessTree() {}

  /** Processor time of this process and all that came from it, in ticks of a hundredth second. */
  public static long ownCpuTicks() {
    int self = ProcFs.self();
    long ticks = ProcFs.cpuTicks(self);
    for (int pid : ProcFs.descendants(self, SEEN_NANOS)) {
      ticks += ProcFs.cpuTicks(pid);
    }
    return ticks;
  }
}
