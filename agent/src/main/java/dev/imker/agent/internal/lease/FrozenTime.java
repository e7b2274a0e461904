package dev.imker.agent.internal.lease;

import java.util.concurrent.TimeUnit;

/** How long a run was frozen in all. Safe for use by several threads. */
public final class FrozenTime {
  private long sumNanos;
  private long sinceNanos;
  private boolean frozen;

  /** The run is frozen from now on, or goes on. */
  public synchronized void set(boolean on, long nowNanos) {
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

  public long millis(long nowNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos(nowNanos));
  }
}
