package dev.imker.agent.internal.report;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.SecretMask;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.model.Lease;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends reports to the server until it confirms them. Thread-safe; a report that arrives twice does
 * no harm.
 */
public final class Delivery {
  /** The server confirms within milliseconds; a handler of its may have failed. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** A frame has room for a mebibyte. */
  private static final int MAX_REPORT_BYTES = 1_000_000;

  private final long againNanos;
  private final Holdings holdings;
  private final ReportJournal journal;
  private final Uplink uplink;
  private final Attestor attestor;

  public Delivery(Holdings holdings, ReportJournal journal, Uplink uplink, Attestor attestor) {
    this(holdings, journal, uplink, attestor, AGAIN_NANOS);
  }

  /**
   * @param againNanos after which a report that nobody confirmed is sent again
   */
  public Delivery(
      Holdings holdings, ReportJournal journal, Uplink uplink, Attestor attestor, long againNanos) {
    this.attestor = attestor;
    this.againNanos = againNanos;
    this.holdings = holdings;
    this.journal = journal;
    this.uplink = uplink;
  }

  /** A report of what this lease came to. */
  public record Report(HeldLease held, Finished finished) {}

  /** Reports that leave together, and that this node stands for. */
  public void deliver(List<Report> reports) {
    attestor
        .attest(reports.stream().map(report -> new Report(report.held, shown(report))).toList())
        .forEach(report -> send(report.held, report.finished));
  }

  public void deliver(HeldLease held, Finished report) {
    send(held, shown(new Report(held, report)));
  }

  private static Finished shown(Report report) {
    Finished finished = report.finished;
    if (finished.getSerializedSize() > MAX_REPORT_BYTES) {
      finished = tooLong(finished);
    }
    SecretMask mask = new SecretMask(report.held.secrets().values());
    return finished.toBuilder().setError(mask.cover(finished.getError())).build();
  }

  private void send(HeldLease held, Finished shown) {
    held.finish(shown);
    if (uplink.trySend(shown)) {
      held.markSent(true, holdings.nanoTime());
    } else {
      journal.keep(held);
    }
  }

  /** If a report cannot be sent, a failure of the task is reported instead. */
  private static Finished tooLong(Finished report) {
    return report.toBuilder()
        .clearResults()
        .clearStdout()
        .clearStderr()
        .setOutcome(Outcome.FAILED)
        .setError(
            "The task left %d result files, more than a report can hold; pack them into an archive."
                .formatted(report.getResultsCount()))
        .build();
  }

  public void confirmed(Lease lease) {
    HeldLease held = holdings.remove(lease);
    if (held != null) {
      journal.forget(held);
    }
  }

  /** A new session knows nothing of what was sent in the one before. */
  public void sendAll(Consumer<Finished> sender) {
    for (HeldLease held : holdings.all()) {
      Finished report = held.report();
      if (report != null) {
        sender.accept(report);
        held.markSent(true, holdings.nanoTime());
      }
    }
  }

  /** Sends what found no room yet, and again what the server has not confirmed for long. */
  public void sendUnsent() {
    long longAgoNanos = holdings.nanoTime() - againNanos;
    for (HeldLease held : holdings.all()) {
      Finished report = held.report();
      if (report != null && (!held.isSent() || held.isSentBefore(longAgoNanos))) {
        if (!uplink.trySend(report)) {
          return;
        }
        held.markSent(true, holdings.nanoTime());
      }
    }
  }

  /** Keeps on disk what is finished and was not confirmed; called when the connection is lost. */
  public void keepAll() {
    for (HeldLease held : holdings.all()) {
      held.markSent(false, holdings.nanoTime());
      if (held.run != null) {
        journal.keep(held);
      }
    }
  }
}
