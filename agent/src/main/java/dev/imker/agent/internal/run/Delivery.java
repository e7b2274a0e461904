package dev.imker.agent.internal.run;

import dev.imker.wire.proto.Finished;
import java.util.function.Consumer;

/**
 * Brings reports to the server, and again until it confirms them. Any thread may call it; a report
 * that arrives twice does no harm.
 */
final class Delivery {
  private final Holdings holdings;
  private final UnconfirmedReports journal;
  private final Uplink uplink;

  Delivery(Holdings holdings, UnconfirmedReports journal, Uplink uplink) {
    this.holdings = holdings;
    this.journal = journal;
    this.uplink = uplink;
  }

  void deliver(HeldLease held, Finished report) {
    held.finish(report);
    if (uplink.trySend(report)) {
      held.markSent(true);
    } else {
      journal.keep(held);
    }
  }

  void confirmed(long token) {
    HeldLease held = holdings.remove(token);
    if (held != null) {
      journal.forget(held);
    }
  }

  /** A new session knows nothing of what was sent in the one before. */
  void sendAll(Consumer<Finished> sender) {
    for (HeldLease held : holdings.all()) {
      Finished report = held.report();
      if (report != null) {
        sender.accept(report);
        held.markSent(true);
      }
    }
  }

  void sendUnsent() {
    for (HeldLease held : holdings.all()) {
      Finished report = held.report();
      if (report != null && !held.isSent()) {
        if (!uplink.trySend(report)) {
          return;
        }
        held.markSent(true);
      }
    }
  }

  /** Keeps on disk what is finished and was not confirmed; called when the connection is lost. */
  void keepAll() {
    for (HeldLease held : holdings.all()) {
      held.markSent(false);
      if (held.run != null) {
        journal.keep(held);
      }
    }
  }
}
