package dev.imker.client.plan;

import dev.imker.model.ImkerException;

/** What is wanted cannot be reached from what is known with the actions there are. */
public final class NoPlanException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public NoPlanException(String message) {
    super(message);
  }
}
