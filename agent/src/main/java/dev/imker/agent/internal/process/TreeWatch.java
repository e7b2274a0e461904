package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.NamelessFiles;
import dev.imker.agent.internal.system.ProcFs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at a process tree and tells which of its limits it exceeds. */
final class TreeWatch {
  private static final long TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux
  private static final long MEGABYTE = 1 << 20;
  private static final long SEEN_NANOS = 1_000_000_000L;

  private final int root;
  private final ProcessLimits limits;
  private volatile long memoryBytes;
  private volatile long cpuMillis;
  private volatile @Nullable TaskGroup group;
  private volatile long cpuBeforeMillis;

  TreeWatch(int root, ProcessLimits limits) {
    this.root = root;
    this.limits = limits;
  }

  /** From now on the tree is what is in this group, which counts only from now on. */
  void follow(TaskGroup itsGroup) {
    cpuBeforeMillis = cpuMillis;
    group = itsGroup;
  }

  /** The most processor time that was ever seen of it. */
  long cpuMillis() {
    return cpuMillis;
  }

  private List<Integer> tree() {
    TaskGroup whole = group;
    if (whole != null) {
      return whole.processes();
    }
    List<Integer> tree = new ArrayList<>(ProcFs.descendants(root, SEEN_NANOS));
    tree.addFirst(root);
    return tree;
  }

  /** Looks at processor time alone. */
  void lookAtCpu() {
    noteCpu(tree());
  }

  private void noteCpu(List<Integer> tree) {
    TaskGroup whole = group;
    long inGroupMillis = whole == null ? 0 : cpuBeforeMillis + whole.cpuMicros() / 1000;
    long ticks = tree.stream().mapToLong(ProcFs::cpuTicks).sum();
    long seenMillis = Math.max(inGroupMillis, ticks * 1000 / TICKS_PER_SECOND);
    cpuMillis = Math.max(cpuMillis, seenMillis);
  }

  /** Resident memory of the tree when it was last looked at. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Which limit is exceeded, in words; empty if none is. */
  String look() {
    List<Integer> tree = tree();
    noteCpu(tree);
    long hiddenBytes = limits.memoryBytes() > 0 ? hiddenMemory(tree) : 0;
    memoryBytes = hiddenBytes + sum(tree, "VmRSS");
    if (limits.memoryBytes() > 0 && isAbove(tree, hiddenBytes, limits.memoryBytes())) {
      return overMemory(limits);
    }
    if (limits.processes() > 0 && tree.size() > limits.processes()) {
      return overProcesses(limits.processes());
    }
    if (limits.cpuSeconds() > 0 && cpuMillis / 1000 > limits.cpuSeconds()) {
      return overCpu(limits.cpuSeconds());
    }
    return "";
  }

  private static long sum(List<Integer> tree, String figure) {
    return tree.stream().mapToLong(pid -> ProcFs.statusBytes(pid, figure)).sum();
  }

  /** What it keeps in files of memory and has not mapped. */
  private static long hiddenMemory(List<Integer> tree) {
    long bytes = NamelessFiles.of(tree).memoryBytes();
    return bytes == 0 ? 0 : Math.max(0, bytes - sum(tree, "RssShmem"));
  }

  /** Bytes on disk that it keeps in files without a name. */
  long namelessBytes() {
    return NamelessFiles.of(tree()).diskBytes();
  }

  /** Shared pages count once, but finding that out costs more than the first look. */
  private boolean isAbove(List<Integer> tree, long hiddenBytes, long limitBytes) {
    return memoryBytes > limitBytes
        && hiddenBytes + tree.stream().mapToLong(ProcFs::proportionalBytes).sum() > limitBytes;
  }

  static String overMemory(ProcessLimits limits) {
    String much = megabytes(limits.memoryBytes());
    return switch (limits.memoryOf()) {
      case OWNER -> policy("Used more than " + much + " of memory");
      case JOB -> "Used more than " + much + " of memory (max-memory of the job).";
      case NEEDS -> "Used more than the " + much + " of memory it asked for (needs: memory).";
    };
  }

  static String overProcesses(int most) {
    return policy("Ran more than " + most + " processes at once");
  }

  static String overCpu(long seconds) {
    return policy("Used more than " + seconds + " s of CPU time");
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
