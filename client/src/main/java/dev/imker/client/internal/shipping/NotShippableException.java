package dev.imker.client.internal.shipping;

import dev.imker.model.ImkerException;

/** Code that cannot be sent to other machines. */
public final class NotShippableException extends ImkerException {
  private static final long serialVersionUID = 1L;

  NotShippableException(String message) {
    super(message);
  }
}
