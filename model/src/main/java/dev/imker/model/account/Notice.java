package dev.imker.model.account;

import dev.imker.model.JobId;

/**
 * A message about a job that settled, on its way to one address.
 *
 * @param settledMillis which time it settled, since a job may be opened again
 * @param tries how often it was tried
 * @param nextMillis when it is due (again)
 */
public record Notice(
    long id,
    JobId job,
    long settledMillis,
    Channel channel,
    String address,
    State state,
    int tries,
    long nextMillis,
    String lastError) {
  /** The ways out. */
  public enum Channel {
    MAIL,
    WEB_HOOK
  }

  /** How far a notice is. A test keeps the order, which is that of the numbers on disk. */
  public enum State {
    WAITING,
    /** Being sent; found so after a restart, nobody knows whether it arrived. */
    SENDING,
    SENT,
    GIVEN_UP
  }
}
