package dev.imker.wire;

import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pings over one connection, and ends it when the peer has been silent for too long. */
public final class KeepAlive implements Runnable {

  /** Why the connection of a silent peer ended. */
  public static final String SILENT = "no heartbeat from the peer";

  private static final int SILENT_INTERVALS = 3;

  private final Link link;
  private final Session session;
  private final ReceiveWindow inbox;
  private final long intervalNanos;
  private volatile @Nullable Future<?> schedule;
  private long lastRunNanos = System.nanoTime();

  KeepAlive(Link link, Session session, ReceiveWindow inbox, Duration interval) {
    this.link = link;
    this.session = session;
    this.inbox = inbox;
    this.intervalNanos = interval.toNanos();
  }

  /**
   * The first ping is spread over the interval, so that thousands of sessions do not ping at the
   * same time.
   */
  void start() {
    long first = ThreadLocalRandom.current().nextLong(intervalNanos);
    schedule =
        ForkJoinPool.commonPool()
            .scheduleWithFixedDelay(this, first, intervalNanos, TimeUnit.NANOSECONDS);
  }

  void cancel() {
    Future<?> own = schedule;
    if (own != null) {
      own.cancel(false);
    }
  }

  /**
   * How long a peer may be silent: three intervals, and up to twice as long if its recent answers
   * were slow.
   */
  static long patienceNanos(long intervalNanos, long slowestRoundTripNanos) {
    return SILENT_INTERVALS * (intervalNanos + Math.min(intervalNanos, slowestRoundTripNanos));
  }

  @Override
  public void run() {
    if (!link.equals(session.currentLink())) {
      cancel();
      return;
    }
    long now = System.nanoTime();
    // If this process itself was stopped, messages of the peer may still wait to be read.
    boolean listened = now - lastRunNanos < (SILENT_INTERVALS - 1) * intervalNanos;
    lastRunNanos = now;
    if (listened
        && now - inbox.lastFrameNanos()
            > patienceNanos(intervalNanos, inbox.slowestRoundTripNanos())) {
      session.linkClosed(link, SILENT);
      link.close("no heartbeat");
    } else if (!link.isClogged()) {
      link.write(Control.ping(now, inbox.progress().processedBytes()));
    }
  }
}
