package dev.imker.client.executor;

import dev.imker.model.ImkerException;

/** A call failed where it was made. */
public final class RemoteFailureException extends ImkerException {
  private static final long serialVersionUID = 1L;

  private final String remoteType;
  private final String remoteTrace;

  public RemoteFailureException(String message, String remoteType, String remoteTrace) {
    super(message);
    this.remoteType = remoteType;
    this.remoteTrace = remoteTrace;
  }

  /** The class of the exception that was thrown there; empty if the call never got that far. */
  public String remoteType() {
    return remoteType;
  }

  /** The stack trace of there, as text. */
  public String remoteTrace() {
    return remoteTrace;
  }
}
