package dev.imker.server.internal.auth;

import dev.imker.model.ImkerException;

/** A user wants more than the quota allows; nothing was changed. */
public final class QuotaExceededException extends ImkerException {
  private static final long serialVersionUID = 1;

  public QuotaExceededException(String message) {
    super(message);
  }
}
