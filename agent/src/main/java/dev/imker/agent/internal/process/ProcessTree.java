package dev.imker.agent.internal.process;

/** The processes below this one, as a whole. */
public final class ProcessTree {
  private ProcessTree() {}

  /** Processor time of this process and all that came from it, in ticks of a hundredth second. */
  public static long ownCpuTicks() {
    int self = ProcFs.self();
    long ticks = ProcFs.cpuTicks(self);
    for (int pid : ProcFs.descendants(self)) {
      ticks += ProcFs.cpuTicks(pid);
    }
    return ticks;
  }
}
