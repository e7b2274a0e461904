package dev.imker.client.plan;

import dev.imker.model.ImkerException;

/** A planned job failed; the message says which task failed, and why. */
public final class JobFailedException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public JobFailedException(String message) {
    super(message);
  }

  public JobFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
