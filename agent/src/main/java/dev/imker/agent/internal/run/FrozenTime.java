package dev.imker.agent.internal.run;

import java.util.concurrent.TimeUnit;

/** How long a run was frozen in all. Safe for use by several threads. */
final class FrozenTime {
  private long sumNanos;
  private long sinceNanos;
  private boolean frozen;

  /** The run is frozen from now on, or goes on. */
  synchronized void set(boolean on, long nowNanos) {
    if (on && !frozen) {
      sinceNanos = nowNanos;
    } else if (!on && frozen) {
      sumNanos += nowNanos - sinceNanos;
    }
    frozen = on;
  }

  synchronized long nanos(long nowNanos) {
    return frozen ? sumNanos + nowNanos - sinceNanos : sumNanos;
  }

  long millis(long nowNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos(nowNanos));
  }
}
