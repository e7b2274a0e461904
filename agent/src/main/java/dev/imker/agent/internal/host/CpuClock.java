package dev.imker.agent.internal.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of threads. */
final class CpuClock {
  private static final class Threads {
    static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();
  }

  private CpuClock() {}

  /** The first call takes long. */
  static void warmUp() {
    var _ = ofThisThreadNanos();
  }

  static long ofThisThreadNanos() {
    return Threads.BEAN.isCurrentThreadCpuTimeSupported()
        ? Threads.BEAN.getCurrentThreadCpuTime()
        : 0;
  }
}
