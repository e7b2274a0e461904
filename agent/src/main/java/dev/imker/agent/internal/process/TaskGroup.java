package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.GroupFolder;
import java.util.List;

/** The control group of one task: all of its processes are in it, wherever they have gone. */
public record TaskGroup(GroupFolder folder) {
  /**
   * The kernel counts threads where the owner means processes. The limit of processes is kept by
   * looking; this one only keeps a task that multiplies without end from flooding the machine
   * between two looks.
   */
  private static final int THREADS_PER_PROCESS = 32;

  private static final long PERIOD_MICROS = 100_000;
  private static final long MICROS_PER_HUNDREDTH = PERIOD_MICROS / 100;

  String name() {
    return folder.name();
  }

  /** Sets what the controllers that are there can keep. */
  public void limit(ProcessLimits limits, ProcessPriority priority) {
    if (priority == ProcessPriority.LOWEST) {
      boolean _ = folder.write("cpu.idle", "1") || folder.write("cpu.weight", "1");
      folder.write("io.weight", "default 1");
    }
    if (limits.memoryBytes() > 0) {
      folder.write("memory.max", Long.toString(limits.memoryBytes()));
      folder.write("memory.swap.max", "0");
      folder.write("memory.oom.group", "1");
    }
    if (limits.coreHundredths() > 0) {
      folder.write("cpu.max", limits.coreHundredths() * MICROS_PER_HUNDREDTH + " " + PERIOD_MICROS);
    }
    if (limits.processes() > 0) {
      folder.write("pids.max", Long.toString((long) THREADS_PER_PROCESS * limits.processes()));
    }
  }

  /** False when the process is gone, or the system does not let it in. */
  boolean add(int pid) {
    return folder.write("cgroup.procs", Integer.toString(pid));
  }

  List<Integer> processes() {
    return folder.processes();
  }

  boolean freeze(boolean on) {
    return folder.write("cgroup.freeze", on ? "1" : "0");
  }

  /** Kills all that are in it, also those that are being born. */
  void kill() {
    folder.write("cgroup.kill", "1");
  }

  /** Processor time of all that were ever in it, since they came in. */
  public long cpuMicros() {
    return folder.figure("cpu.stat", "usage_usec");
  }

  /**
   * The most memory it ever had, without what the system keeps of files it read or wrote; 0 where
   * nobody counts.
   */
  public long peakBytes() {
    return Math.max(0, folder.number("memory.peak") - folder.figure("memory.stat", "file"));
  }

  /** Whether the kernel killed it because it wanted more memory than it may have. */
  public boolean ranOutOfMemory() {
    return folder.figure("memory.events", "oom_kill") > 0;
  }

  /** True when it is gone. */
  boolean remove() {
    return folder.remove();
  }
}
