package dev.imker.server.rest.changes;

import java.util.ArrayList;
import java.util.List;

/**
 * Outcomes on their way to one subscriber. A subscriber that reads too slowly misses some, and is
 * told so: it can ask for the outcomes of its jobs at any time.
 */
public final class OutcomeFeed {
  private static final long MAX_BYTES = 64L << 20;
  private static final long ENTRY_BYTES = 200;

  /** What came since the last look. */
  public record Batch(List<OutcomeView> outcomes, boolean missed) {}

  private List<OutcomeView> waiting = new ArrayList<>();
  private long bytes;
  private boolean missed;

  synchronized void add(OutcomeView outcome) {
    byte[] stdout = outcome.stdout();
    bytes += ENTRY_BYTES + (stdout == null ? 0 : stdout.length);
    if (bytes > MAX_BYTES) {
      missed = true;
    } else {
      waiting.add(outcome);
    }
    notifyAll();
  }

  /** Waits for outcomes, no longer than that. */
  public synchronized Batch take(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (waiting.isEmpty() && !missed) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        break;
      }
      wait(left);
    }
    Batch batch = new Batch(waiting, missed);
    waiting = new ArrayList<>();
    bytes = 0;
    missed = false;
    return batch;
  }
}
