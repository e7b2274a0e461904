package dev.imker.server.internal.rest.changes;

import java.util.ArrayList;
import java.util.List;

/**
 * Outcomes on their way to one subscriber. A subscriber that reads too slowly misses some, and is
 * told so: it can ask for the outcomes of its jobs at any time.
 */
public final class OutcomeFeed {
  private static final long MAX_BYTES = 64L << 20;
  private static final long ENTRY_BYTES = 200;

  /**
   * What came since the last look.
   *
   * @param changed whether the job that is followed has changed
   * @param settled whether a job has settled
   */
  public record Batch(
      List<OutcomeView> outcomes, boolean missed, boolean changed, boolean settled) {}

  private List<OutcomeView> waiting = new ArrayList<>();
  private long bytes;
  private boolean missed;
  private boolean changed;
  private boolean settled;

  synchronized void add(OutcomeView outcome) {
    byte[] stdout = outcome.stdout();
    bytes += ENTRY_BYTES + (stdout == null ? 0 : stdout.length);
    if (bytes > MAX_BYTES) {
      missed = true;
    } else {
      waiting.add(outcome);
    }
    settled |= outcome.isOfJob();
    notifyAll();
  }

  synchronized void jobChanged() {
    changed = true;
    notifyAll();
  }

  /** Waits for outcomes, no longer than that. */
  public synchronized Batch take(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (waiting.isEmpty() && !missed && !changed) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    Batch batch = new Batch(waiting, missed, changed, settled);
    waiting = new ArrayList<>();
    bytes = 0;
    missed = false;
    changed = false;
    settled = false;
    return batch;
  }

  /** Waits so long, or until a job has settled. */
  public synchronized void pause(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; left > 0 && !settled; ) {
      wait(left);
      left = (deadline - System.nanoTime()) / 1_000_000;
    }
  }
}
