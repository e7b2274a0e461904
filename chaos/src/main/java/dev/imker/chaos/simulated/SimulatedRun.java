package dev.imker.chaos.simulated;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** {@code ./imker chaos --simulated}: many seeds, on several threads, with a summary. */
public final class SimulatedRun {
  private static final int MAX_FINDINGS = 10;
  private static final long REPORT_NANOS = 10_000_000_000L;

  private final long first;
  private final long count;
  private final int threads;
  private final PrintWriter out;
  private final List<Seeds.Finding> findings = new ArrayList<>();
  private long next;
  private long done;
  private long events;
  private long reported;

  public SimulatedRun(long first, long count, int threads, PrintWriter out) {
    this.first = first;
    this.count = count;
    this.threads = threads;
    this.out = out;
  }

  /** Returns how many seeds broke a promise; stops when they are many. */
  public int run() throws InterruptedException {
    long start = System.nanoTime();
    reported = start;
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      all.add(Thread.ofPlatform().name("simulation-" + i).start(this::work));
    }
    for (Thread thread : all) {
      thread.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    out.printf(
        "%,d seeds from %d on, %,d events, %.0f s: %s%n",
        done,
        first,
        events,
        seconds,
        findings.isEmpty() ? "every promise was kept." : findings.size() + " broke a promise.");
    return findings.size();
  }

  private synchronized long take() {
    return next >= count || findings.size() >= MAX_FINDINGS ? -1 : next++;
  }

  private void work() {
    Seeds seeds = new Seeds();
    for (long i = take(); i >= 0; i = take()) {
      long before = seeds.events();
      var found = seeds.run(first + i);
      finished(seeds.events() - before, found.orElse(null));
    }
  }

  private synchronized void finished(
      long happened, Seeds.@org.jspecify.annotations.Nullable Finding found) {
    done++;
    events += happened;
    if (found != null) {
      findings.add(found);
      out.println(found.describe());
    }
    if (System.nanoTime() - reported > REPORT_NANOS) {
      reported = System.nanoTime();
      out.printf("%,d seeds, %d broke a promise%n", done, findings.size());
    }
    out.flush();
  }
}
