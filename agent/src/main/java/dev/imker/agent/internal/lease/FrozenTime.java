package dev.imker.agent.internal.lease;

import java.util.concurrent.TimeUnit;

/** The total time for which a run was frozen. Thread-safe. */
public final class FrozenTime {
  private long sumNanos;
  private long sinceNanos;
  private boolean frozen;

  /** Freezes or resumes the run. */
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
