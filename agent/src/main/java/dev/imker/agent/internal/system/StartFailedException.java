package dev.imker.agent.internal.system;

import dev.imker.model.ImkerException;

/** A program could not be started; the message says which and why. */
public final class StartFailedException extends ImkerException {
  private static final long serialVersionUID = 1L;

  private final boolean temporary;

  public StartFailedException(String message) {
    this(message, false);
  }

  /**
   * @param temporary whether the same may start here a moment later
   */
  public StartFailedException(String message, boolean temporary) {
    super(message);
    this.temporary = temporary;
  }

  public StartFailedException(String message, Throwable cause) {
    super(message, cause);
    this.temporary = true;
  }

  public boolean isTemporary() {
    return temporary;
  }
}
