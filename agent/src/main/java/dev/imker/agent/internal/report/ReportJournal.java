package dev.imker.agent.internal.report;

import dev.imker.agent.internal.lease.HeldLease;

/** Stores reports so that they outlive the agent until the server has confirmed them. */
public interface ReportJournal {
  /** Keeps the report of a lease, unless there is none, it is kept already, or nobody needs it. */
  void keep(HeldLease held);

  /** The server has confirmed it. */
  void forget(HeldLease held);
}
