package dev.imker.model.account;

import dev.imker.model.JobId;

/**
 * A message about a job that settled, on its way to one address.
 *
 * @param settledMillis when it settled; distinguishes several notices, because a job may be
 *     reopened
 * @param tries the number of attempts to deliver it
 * @param nextMillis when the next attempt is due
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
  /** The delivery channels. */
  public enum Channel {
    MAIL,
    WEB_HOOK
  }

  /** The state of a notice. The order is that of the stored numbers and is fixed by a test. */
  public enum State {
    WAITING,
    /** Being sent; after a restart it is unknown whether such a notice arrived. */
    SENDING,
    SENT,
    GIVEN_UP
  }
}
