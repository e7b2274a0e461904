package dev.imker.wire;

import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Pings over one connection, and ends it when the peer has been silent for too long. */
final class KeepAlive implements Runnable {

  private static final int SILENT_INTERVALS = 3;

  private final Link link;
  private final Session session;
  private final Inbox inbox;
  private final long intervalNanos;
  private volatile @Nullable Future<?> schedule;

  KeepAlive(Link link, Session session, Inbox inbox, Duration interval) {
    this.link = link;
    this.session = session;
    this.inbox = inbox;
    this.intervalNanos = interval.toNanos();
  }

  /**
   * The first ping is spread over the interval, so that thousands of sessions do not beat as one.
   */
  void start() {
    long first = ThreadLocalRandom.current().nextLong(intervalNanos);
    schedule =
        ForkJoinPool.commonPool()
            .scheduleWithFixedDelay(this, first, intervalNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void run() {
    if (!link.equals(session.currentLink())) {
      Future<?> own = schedule;
      if (own != null) {
        own.cancel(false);
      }
      return;
    }
    long now = System.nanoTime();
    if (now - inbox.lastFrameNanos() > SILENT_INTERVALS * intervalNanos) {
      session.linkClosed(link, "no sign of life from the peer");
      link.close("no sign of life");
    } else if (!link.isClogged()) {
      link.write(Control.ping(now, inbox.progress().processedBytes()));
    }
  }
}
