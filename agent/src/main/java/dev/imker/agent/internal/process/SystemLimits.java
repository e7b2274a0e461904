package dev.imker.agent.internal.process;

import java.util.BitSet;

/**
 * The limits that the kernel itself keeps. They are set a moment after the process began: what it
 * started before that escapes them, and is caught by looking at the tree.
 */
final class SystemLimits {
  private SystemLimits() {}

  static void set(Libc libc, int pid, ProcessLimits limits) {
    if (limits.cpuSeconds() > 0) {
      libc.limit(pid, Libc.RLIMIT_CPU, limits.cpuSeconds(), limits.cpuSeconds() + 1);
    }
    if (limits.openFiles() > 0) {
      libc.limit(pid, Libc.RLIMIT_NOFILE, limits.openFiles(), limits.openFiles());
    }
    if (limits.fileBytes() > 0) {
      libc.limit(pid, Libc.RLIMIT_FSIZE, limits.fileBytes(), limits.fileBytes());
      libc.limit(pid, Libc.RLIMIT_CORE, 0, 0);
    }
    int all = Runtime.getRuntime().availableProcessors();
    if (limits.cores() > 0 && limits.cores() < all) {
      // The last ones: interrupts and the owner's programs tend to sit on the first.
      BitSet lent = new BitSet();
      lent.set(all - limits.cores(), all);
      libc.bindToCores(pid, lent);
    }
  }
}
