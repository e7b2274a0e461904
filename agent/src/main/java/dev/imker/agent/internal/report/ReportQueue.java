package dev.imker.agent.internal.report;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.wire.proto.Finished;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports on their way out. A few leave at once; while there is more to run, later ones leave
 * together.
 */
public final class ReportQueue {
  private static final int BURST = 8;
  private static final long STEP_NANOS = 25_000_000;

  private final Delivery delivery;
  private final List<Delivery.Report> reports = new ArrayList<>();
  private final Pacing pacing = new Pacing(BURST, STEP_NANOS, System.nanoTime());

  public ReportQueue(Delivery delivery) {
    this.delivery = delivery;
  }

  public void add(HeldLease held, Finished finished) {
    reports.add(new Delivery.Report(held, finished));
  }

  public boolean isEmpty() {
    return reports.isEmpty();
  }

  /** How long the next ones have to wait, at most the time given. */
  public long waitNanos(long nowNanos, long mostNanos) {
    return reports.isEmpty() ? mostNanos : Math.min(mostNanos, pacing.waitNanos(nowNanos));
  }

  /**
   * @param alone whether nothing is left to do: then nobody waits for company, as the reports bring
   *     new work
   */
  public void sendIfDue(long nowNanos, boolean alone) {
    if (!reports.isEmpty() && (alone || pacing.waitNanos(nowNanos) == 0)) {
      pacing.leave(nowNanos);
      sendAll();
    }
  }

  public void sendAll() {
    List<Delivery.Report> leaving = List.copyOf(reports);
    reports.clear();
    delivery.deliver(leaving);
  }
}
