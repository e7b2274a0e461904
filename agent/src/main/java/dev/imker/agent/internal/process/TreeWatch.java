package dev.imker.agent.internal.process;

import java.util.ArrayList;
import java.util.List;

/** Looks at a process tree and tells which of its limits it exceeds. */
final class TreeWatch {
  private static final long TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux
  private static final long MEGABYTE = 1 << 20;
  private static final long SEEN_NANOS = 1_000_000_000L;

  private final int root;
  private final ProcessLimits limits;
  private volatile long memoryBytes;

  TreeWatch(int root, ProcessLimits limits) {
    this.root = root;
    this.limits = limits;
  }

  /** Resident memory of the tree when it was last looked at. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Which limit is exceeded, in words; empty if none is. */
  String look() {
    List<Integer> tree = new ArrayList<>(ProcFs.descendants(root, SEEN_NANOS));
    tree.addFirst(root);
    memoryBytes = tree.stream().mapToLong(pid -> ProcFs.statusBytes(pid, "VmRSS")).sum();
    if (limits.memoryBytes() > 0 && isAbove(tree, limits.memoryBytes())) {
      return overMemory(limits.memoryBytes());
    }
    if (limits.processes() > 0 && tree.size() > limits.processes()) {
      return policy("Ran more than " + limits.processes() + " processes at a time");
    }
    if (limits.cpuSeconds() > 0 && cpuSeconds(tree) > limits.cpuSeconds()) {
      return overCpu(limits.cpuSeconds());
    }
    return "";
  }

  /** Shared pages count once, but finding that out costs more than the first look. */
  private boolean isAbove(List<Integer> tree, long limitBytes) {
    return memoryBytes > limitBytes
        && tree.stream().mapToLong(ProcFs::proportionalBytes).sum() > limitBytes;
  }

  private static long cpuSeconds(List<Integer> tree) {
    return tree.stream().mapToLong(ProcFs::cpuTicks).sum() / TICKS_PER_SECOND;
  }

  static String overMemory(long bytes) {
    return policy("Used more than " + megabytes(bytes) + " of memory");
  }

  static String overCpu(long seconds) {
    return policy("Used more than " + seconds + " s of processor time");
  }

  static String overFile(long bytes) {
    return policy("Wrote a file of more than " + megabytes(bytes));
  }

  private static String megabytes(long bytes) {
    return bytes >= MEGABYTE ? bytes / MEGABYTE + " MB" : bytes + " bytes";
  }

  private static String policy(String what) {
    return what + " (limit of the node's policy).";
  }
}
