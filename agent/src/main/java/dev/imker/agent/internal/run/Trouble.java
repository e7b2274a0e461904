package dev.imker.agent.internal.run;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps this machine from running anything at the moment, such as a full disk. For a while no
 * work is taken: it would only be given back, at once and again and again.
 */
final class Trouble {
  private static final Logger LOG = LoggerFactory.getLogger(Trouble.class);
  private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(30);

  private volatile String what = "";
  private volatile long sinceNanos;

  void report(String reason) {
    LOG.warn("No further work for a while: {}", reason);
    sinceNanos = System.nanoTime();
    what = reason;
  }

  /** Empty when all is well. */
  String current() {
    if (!what.isEmpty() && System.nanoTime() - sinceNanos > LASTS_NANOS) {
      what = "";
    }
    return what;
  }
}
