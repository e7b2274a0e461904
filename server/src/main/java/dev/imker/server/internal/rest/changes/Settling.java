package dev.imker.server.internal.rest.changes;

import dev.imker.model.JobId;
import dev.imker.server.http.Exchange;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.List;

/**
 * Holds an answer back until a job has settled, for callers that say {@code ?wait=SECONDS}: one
 * request instead of one that submits and others that look.
 */
public record Settling(Changes changes, Reads reads) {
  private static final int LONGEST_WAIT_SECONDS = 60;

  /** How long the caller wants to wait; 0 means not at all. */
  public static int seconds(Exchange exchange) {
    return (int) exchange.queryNumber("wait", 0, 0, LONGEST_WAIT_SECONDS);
  }

  /**
   * Waits until a job has settled or does not exist, at most so long; false if it has not settled
   * by then.
   */
  public boolean await(JobId job, int seconds) throws InterruptedException {
    if (seconds == 0) {
      return false;
    }
    long deadline = System.nanoTime() + seconds * 1_000_000_000L;
    Subscription subscription = changes.subscribe(List.of(job));
    try {
      while (isOpen(job)) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          return false;
        }
        subscription.pause(left);
        subscription.take(0, 1);
      }
      return true;
    } finally {
      changes.unsubscribe(subscription);
    }
  }

  /** A job is on disk as settled before anybody is told so. */
  private boolean isOpen(JobId job) {
    return !reads.job(job).map(JobRecord::isSettled).orElse(true);
  }
}
