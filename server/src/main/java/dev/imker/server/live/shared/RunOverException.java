package dev.imker.server.live.shared;

import dev.imker.model.ImkerException;

/** The run that asks has come to its end, or lost its lease. */
public final class RunOverException extends ImkerException {
  private static final long serialVersionUID = 1L;

  RunOverException() {
    super("The task has ended, so its token is no longer valid.");
  }
}
