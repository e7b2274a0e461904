package dev.imker.agent.internal.system;

import dev.imker.model.ImkerException;

/** A program could not be started; the message says which and why. */
public final class StartFailedException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public StartFailedException(String message) {
    super(message);
  }

  public StartFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
